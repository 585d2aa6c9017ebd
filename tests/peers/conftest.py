"""Tests beside the libraries our users run us with: `make test-peers`, in an environment of their own.

A library that is missing here is a failure, not a skip: the environment exists to hold it. Nothing is downloaded at run
time: hubs are told to stay offline.
"""

from __future__ import annotations

import os

os.environ.update(
    HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", MLFLOW_DISABLE_TELEMETRY="true"
)
