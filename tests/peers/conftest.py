"""Tests beside the libraries our users run us with: `make test-peers`, in an environment of their own.

A library that is missing here is a failure, not a skip: the environment exists to hold it. Nothing is downloaded at run
time: hubs are told to stay offline.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import JAVA, find, required

os.environ.update(
    HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", MLFLOW_DISABLE_TELEMETRY="true"
)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session for all modules: it takes 20 seconds to start."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 -- other modules do not need it

    java = find(JAVA)
    if java is None:
        (pytest.fail if required() else pytest.skip)("no Java: python tools/programs.py peers")
    if "JAVA_HOME" not in os.environ or os.environ.get("GAINCURVE_JAVA"):
        os.environ["JAVA_HOME"] = str(Path(java).resolve().parent.parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    yield session
    session.stop()


def pytest_configure(config: pytest.Config) -> None:
    """What PySpark says of pandas 3 and of its own older parts is not about us: we use neither."""
    config.addinivalue_line("filterwarnings", "ignore:Deprecated in 3.0.0:FutureWarning")
    config.addinivalue_line("filterwarnings", "ignore:PySpark does not yet fully support pandas:FutureWarning")
