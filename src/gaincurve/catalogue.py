"""Every kind of problem by its slug: the one place where why, what next and the explanation are written.

The reference page of the documentation is generated from it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """The fixed part of one kind of problem: why it matters, what to do, and a paragraph for the documentation."""

    why: str
    hint: str
    explanation: str


CATALOGUE: dict[str, Entry] = {
    "input-missing": Entry(
        "nothing can be read from a path that does not exist",
        "check the spelling and the folder you are in",
        "The path names no file. Nothing was read or written.",
    ),
    "input-remote": Entry(
        "reading over a network needs credentials and packages of its own, and can fail halfway",
        "download it first, or read it with your own tools and give the frame to gaincurve in Python",
        "An address such as s3://… or hf://… was given where a file was expected.",
    ),
    "input-directory": Entry(
        "only BEIR data sets and tables in Parquet or Arrow files are read as folders",
        "name the files inside it, e.g. DIR/*.run",
        "The path names another kind of folder. Its files are named one by one, so that the list of runs is explicit.",
    ),
    "input-permission": Entry(
        "the operating system refused to open it",
        "check the file's permissions",
        "The file exists, but you are not allowed to read it.",
    ),
    "input-unreadable": Entry(
        "the operating system failed while reading",
        "copy the file elsewhere and try again",
        "Reading failed for a reason other than a missing file or permission; the system's message is quoted.",
    ),
    "input-empty": Entry(
        "without a single line there is nothing to read",
        "check the step that wrote the file",
        "The file has no content, or only blank lines and comments (lines that begin with #).",
    ),
    "input-binary": Entry(
        "inputs are text",
        "export it as TREC text, CSV, JSON or JSONL",
        "The file holds NUL bytes, so it is not text. Compressed files (gz, bz2, xz, zst, lz4, zip) are recognised by "
        "their first bytes and need no unpacking; Parquet, PDF and databases are named in the message.",
    ),
    "input-encoding": Entry(
        "text must be UTF-8 or a superset of ASCII",
        "convert it, e.g. iconv -f UTF-16 -t UTF-8",
        "The file begins like UTF-16 or UTF-32, as some spreadsheet programs write it.",
    ),
    "input-damaged": Entry(
        "a half-read file would give wrong numbers",
        "fetch or compress the file again",
        "A compressed file ended early or failed its checksum. Nothing of it is used.",
    ),
    "input-cut": Entry(
        "a file that ends within a line was cut while it was copied or written, and its last number may be wrong",
        "fetch the file again; if it is whole, end its last line like the others",
        "The last line has fewer columns than the others and no line end: a copy stopped, or a disk was full.",
    ),
    "input-expands": Entry(
        "a small file that unpacks to gigabytes is more likely an accident or an attack than a run",
        "unpack it yourself and pass the unpacked file",
        "A compressed file grew beyond 256 MiB and beyond 100 times its own size while unpacking.",
    ),
    "input-format": Entry(
        "gaincurve recognises a file by its content, and this content fits no format",
        "see `gaincurve ls formats`",
        "The first lines are neither TREC columns, nor JSON, nor JSON lines, nor a table with known column names.",
    ),
    "input-columns": Entry(
        "guessing which columns were meant could change numbers",
        "see `gaincurve ls formats` for the columns expected",
        "A line has too few or too many columns. Judgments have 4 columns (topic, ignored, document, grade) or 3 "
        "(topic, document, grade); runs have 6 (topic, ignored, document, rank, score, tag), 5 (no tag) or 3 (topic, "
        "document, rank). All lines of a file have as many as its first.",
    ),
    "input-header": Entry(
        "columns are found by name",
        "rename the columns; `gaincurve ls formats` lists the names understood",
        "A table's header lacks a column for the topic, the document, or the grade or score.",
    ),
    "input-two-columns": Entry(
        "two columns could be meant, they differ, and each would give another number",
        "--columns topic=qid,document=docno (in Python columns={…}) says which",
        "A table has two columns that can both hold the topic, the document, the grade or the score, such as docid and "
        "doc_id, or the same name twice. An exact name (qid, docno) is taken before a vague one (query, document), and "
        "PyTerrier's qid and docno before its docid, with a note; columns that are equal row by row are no problem.",
    ),
    "input-table": Entry(
        "a broken row cannot be trusted",
        "check the quoting and the number of fields in that row",
        "A row of a CSV or TSV table has more or fewer fields than its header, or a quoted field never ends.",
    ),
    "input-json": Entry(
        "the JSON has a shape that gaincurve cannot use",
        "expected {topic: {document: value}}, {topic: [documents]} for runs, or one record per line",
        "The file looks like JSON but does not parse, or is neither judgments nor a run.",
    ),
    "input-shape": Entry(
        "a file of a known tool with a key missing cannot be read as what it was meant to be",
        "compare the file with `gaincurve ls formats`",
        "A JSON file is neither a map of topics nor a list of records, but has most of the keys of a tool's format. "
        "The message names the format, the key that is missing and the one that may be meant, and the shapes tried.",
    ),
    "engine-error": Entry(
        "a search that failed has no ranking, and scored as an empty list it would look like a bad one",
        "correct the request and send it again; without the pipe, curl shows the whole answer",
        "Elasticsearch or OpenSearch answered a search with an error in place of hits: the index or a field is not "
        "known, the query cannot be parsed, or the user may not read it. The message quotes the engine.",
    ),
    "grades-given": Entry(
        "an example is made of grades alone, and these do not make one",
        "e.g. --grades '3 2 3 0 - 1' --recall-base '3 3 3 2 1 1'",
        "`explain --grades` takes numbers with blanks or commas between them, - for an unjudged document. Relevant "
        "documents of the list are part of the recall base. Measures of single lists take one list, measures of "
        "sessions one for each query.",
    ),
    "convert-format": Entry(
        "the format to write is named by --to or by the suffix of the file",
        "see `gaincurve ls formats`",
        "The format to write is not known, the suffix names none, or it does not hold what the input is: judgments "
        "or a run.",
    ),
    "convert-kind": Entry(
        "judgments and runs of some formats look alike",
        "--as judgments or --as run",
        "A file could be judgments or a run, such as {topic: {document: number}}, and nothing says which.",
    ),
    "convert-lossy": Entry(
        "an id or number that changes on the way would match nothing",
        "write another format; JSON carries every id",
        "What was written is read back before it is saved, and it was not the same: TREC columns cannot carry ids with "
        "white space, tables none with white space around them. Nothing was saved.",
    ),
    "input-part": Entry(
        "a file with several runs is read as several; FILE#NAME is one of them",
        "name one after a #, e.g. snapshots.csv#before",
        "What is named behind '#' is not in the file, or one run was asked for and the file holds several.",
    ),
    "judges-differ": Entry(
        "a document counts with one grade, and which one decides the numbers",
        "--judges mean, median, min or max; FILE#NAME reads one judge alone",
        "Several judges graded the same documents differently, and no rule says whose grade counts; or the judge named "
        "is not in the file. `gaincurve agree` compares two judges.",
    ),
    "run-score-lines": Entry(
        "a score belongs to the document of the same line",
        "name the LETOR file of the same lines: SCORES#FEATURES",
        "A file with one number per line is what a learning-to-rank library predicts. The LETOR (SVMlight) file, which "
        "must have as many lines, names the topic and document of each.",
    ),
    "input-arrow": Entry(
        "what handed the table over broke the rules of Arrow, or stopped with an error of its own",
        "write the table again with the tool that made it, or pass it as another kind of frame",
        "Record batches could not be taken over: their memory is not laid out as it says, batches have different "
        "columns, or the producer failed on the way.",
    ),
    "input-number": Entry(
        "a score or grade must be a number that every machine reads alike",
        "cast the column to float64 or to whole numbers where the table is made",
        "A column of a table cannot hold scores or grades by its type: nested, decimal, date and time columns are "
        "refused by name.",
    ),
    "input-id": Entry(
        "ids are text; '001' and '1' are different topics",
        "write ids as strings",
        "A topic or document id is empty, or has no unique spelling as text (a float, null, a list).",
    ),
    "input-object": Entry(
        "judgments and runs in memory are mappings, records or tables",
        "pass {topic: {document: value}}, tuples (topic, document, value), or a data frame with named columns",
        "A Python object given as judgments or run has a shape that is not understood.",
    ),
    "judgments-grade": Entry(
        "a grade must be a finite number; negative and fractional grades are fine",
        "correct the grade, or drop the line if the document was not judged",
        "A grade is not a number, or is nan or infinite.",
    ),
    "run-score": Entry(
        "documents are ordered by score, which must be a finite number",
        "write a plain number such as 12.5; a system that failed often writes nan",
        "A score is not a number, or is nan or infinite. nan cannot be ordered, so the ranking would be undefined.",
    ),
    "run-rank": Entry(
        "a rank is a whole number, and 1 is best",
        "correct the rank; a run with scores has 5 or 6 columns (topic, ignored, document, rank, score, tag)",
        "A rank that decides the order is not a number, or, in a run of three columns, not a whole one: such a file "
        "probably holds scores, which would be ranked upside down.",
    ),
    "run-ranks-broken": Entry(
        "three columns are topic, document, rank; scores read as ranks would turn the list upside down",
        "for scores, name the columns in a first line: topic document score; for a list with gaps, renumber it",
        "The third column of a run of three columns does not count the documents of each topic from 0 or 1 on, each "
        "number once. It probably holds scores or grades.",
    ),
    "judgments-duplicate-document": Entry(
        "a document has one grade per topic, or its gain would be counted twice",
        "--duplicates first (in Python: duplicates='first') keeps the first grade",
        "The same document is judged twice for one topic. Both lines are named. Some collections do this on purpose "
        "for subtopics or several judges; merge those grades before evaluating.",
    ),
    "run-list-twice": Entry(
        "a topic has one ranked list in a run",
        "give each topic one record",
        "Two records of a file answer the same topic: two searches of one name, two answers to one question. Read as "
        "one list they would rank documents that no system ranked together.",
    ),
    "run-duplicate-document": Entry(
        "a document counts once per topic, or its gain would be added twice",
        "--duplicates first (in Python: duplicates='first' of read_run or Run.of) keeps the first",
        "A run lists the same document twice for one topic. Both lines are named. Other tools count such a document "
        "twice or silently keep the last line.",
    ),
    "judgments-look-like-run": Entry(
        "judgments come first, runs after them",
        "swap the two files",
        "The file given as judgments has the columns of a run.",
    ),
    "judgments-scores": Entry(
        "a run given as judgments gives numbers that mean nothing",
        "swap the two; if these are grades, --grades-are-scores (in Python grades_are_scores=True) says so",
        "The values given as grades look like a system's scores: a topic has 10 or more of them, more than 20 are "
        "different, and most are fractions or differ within topics; or they count the documents of each topic; or "
        "they could be scores, and the run beside them has few whole values, or the same ones. Grades of 0 to 100 and "
        "means of several judges are accepted.",
    ),
    "judgments-same-file": Entry(
        "a file scored against itself is perfect, whatever is in it",
        "give the judgments first, then the runs; --grades-are-scores if this is meant",
        "The same file, or a copy of it, was given as judgments and as a run.",
    ),
    "run-looks-like-judgments": Entry(
        "judgments come first, runs after them",
        "swap the two files",
        "The file given as a run has the columns of judgments.",
    ),
    "run-without-ranks": Entry(
        "--ties rank orders by the rank column",
        "use another rule: --ties trec, file or average",
        "The run was asked to follow its rank column but has none.",
    ),
    "run-name-twice": Entry(
        "results are reported by run name",
        "rename one of the files",
        "Two runs have the same name, or one is called 'ideal', as the best possible ranking is. A run is named after "
        "its file without folders and suffixes.",
    ),
    "run-none": Entry(
        "there is nothing to evaluate",
        "give at least one run",
        "No run was given.",
    ),
    "efficiency-record": Entry(
        "a line of an efficiency log is one measured query, or the one index, or the one load",
        'one of {"topic": "301", "latency_ms": 12.4}, {"indexing_s": 812.0, "index_bytes": 1234567, '
        '"text_bytes": 9876543}, {"queries": 10000, "wall_s": 41.2, "threads": 8}',
        "A record has an unknown key, the keys of two kinds of record, a key twice, or lacks a key; or a log has two "
        "index records or two load records.",
    ),
    "efficiency-value": Entry(
        "times and sizes are plain JSON numbers that somebody measured",
        "correct the value; latency_ms is in milliseconds, indexing_s and wall_s in seconds, sizes in bytes",
        "A number of an efficiency log is negative, infinite, not a number, larger than 2^53, in quotes, true or "
        "false, broken where it must be whole, or 0 where something is divided by it.",
    ),
    "efficiency-name-twice": Entry(
        "a log belongs to the run of the same name",
        "rename one of the files, or name it on the command line: --efficiency NAME=LOG",
        "Two efficiency logs have the same name. A log is named after its file without folders and suffixes, as a run "
        "is; .log, .efficiency and .latency are taken off too.",
    ),
    "efficiency-nothing-to-draw": Entry(
        "a point needs a run's score and, from the log of the same name, its latency",
        "name each log like its run, or --efficiency NAME=LOG, and record query latencies",
        "A figure of effectiveness over latency was asked for, but no run has both.",
    ),
    "stdin-twice": Entry(
        "standard input can be read only once",
        "save one of the two to a file",
        "More than one input was given as '-'.",
    ),
    "topics-disjoint": Entry(
        "a run is evaluated on the topics it shares with the judgments, by exact text",
        "check that both use the same topic ids (leading zeros and prefixes count)",
        "Judgments and run have no topic in common. The message shows ids of both.",
    ),
    "documents-disjoint": Entry(
        "documents are matched by their exact ids; with none in common every number would be 0 and mean nothing",
        "make both use the same document ids; the message says what would join them",
        "Not one document that a run retrieved for a judged topic is judged, and that is hardly chance: the "
        "ids match after a change of spelling (case, leading zeros, Unicode form, a prefix or suffix), or look like no "
        "judged id, or 20 and more judged documents could have been retrieved. The same holds if more judged documents "
        "match after a change of spelling than as they are. A run none of whose documents is judged, but whose ids "
        "look like judged ones, is scored with a note where other runs match or where fewer than 20 could have, and "
        "under `--unjudged bounds`. `gaincurve trec_eval` prints 0.0000, as trec_eval does.",
    ),
    "topics-missing": Entry(
        "the scenario, or --missing error, wants every judged topic in every run",
        "--missing zero counts such topics as 0, --missing skip leaves them out",
        "The run has no documents for some judged topics.",
    ),
    "topic-unknown": Entry(
        "a topic is named by its exact text",
        "check the id",
        "The topic asked for is not in the judgments.",
    ),
    "measure-unknown": Entry(
        "a measure is looked up by its name",
        "see `gaincurve ls measures`",
        "No measure has this name, in our spelling, trec_eval's or ir_measures'.",
    ),
    "measure-kind": Entry(
        "a measure gives a value to single ranked lists or to whole sessions, not to both",
        "see `gaincurve ls measures`",
        "A measure of sessions, such as nsDCG, was asked for where single lists are scored, or the other way round.",
    ),
    "measure-syntax": Entry(
        "a measure is written Name(parameter=value, …)@cutoff",
        "for example nDCG@10 or nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100",
        "The text cannot be read as a measure.",
    ),
    "measure-parameter": Entry(
        "each measure has its own parameters",
        "see `gaincurve explain MEASURE`",
        "A measure was given a parameter it does not have, or a value that makes no sense.",
    ),
    "measure-cutoff": Entry(
        "a cutoff is a whole number of ranks, for IPrec a level of recall from 0 to 1; some measures have none",
        "write e.g. nDCG@10 or IPrec@0.5, or set --depth",
        "A cutoff is missing where one is needed, given where none is possible, or not such a number.",
    ),
    "measure-no-curve": Entry(
        "a curve needs a value at every rank",
        "curves by rank exist for CG, DCG, nCG, nDCG, P and R; precision over recall for --precision-recall",
        "The measure has no value by rank.",
    ),
    "measure-no-ties": Entry(
        "the exact average over all orders of the tied documents is not known, and an estimate would look exact",
        "leave --ties at trec, or see what the order can change with `gaincurve check`",
        "Under ties 'average' a number is the expected value over all orders of documents with equal scores. It is "
        "computed exactly for the gain family, P, R, RR, AP and others; for this measure it is not.",
    ),
    "measure-needs-scores": Entry(
        "the measure compares the system's scores with the judges' grades",
        "give a run with scores, or another measure",
        "The run has an order but no scores: a list of documents, or a file whose third column is a rank.",
    ),
    "measure-needs-subtopics": Entry(
        "the measure asks which of a topic's subtopics a document covers",
        "give judgments by subtopic, e.g. TREC diversity qrels, whose second column names it",
        "The judgments grade documents for the topic as a whole. In TREC qrels the second column names the subtopic; "
        "in tables and records a column 'subtopic'; in Python {topic: {document: {subtopic: grade}}}.",
    ),
    "measure-needs-strata": Entry(
        "the measure is an estimate from a sample, and needs the strata of the pool from which it was drawn",
        "give five columns, topic 0 document stratum grade, where −1 means pooled and not sampled; "
        "`gaincurve pool --method sample -f qrels5` writes them",
        "Estimates weight each judged document by the number of documents that it represents, which judgments without "
        "strata do not say. To score them as they are, ask for AP, nDCG or P.",
    ),
    "measure-no-bounds": Entry(
        "bounds need a rule for what an unjudged document could add",
        "use --unjudged zero or condensed for this measure",
        "No bounds are defined for this measure under this choice.",
    ),
    "number-theirs": Entry(
        "a number is compared in the digits in which it was given",
        "give it as it was printed: 0.6887 or 68.87%",
        "`explain --why-different` needs the number that someone else got, and was given something else.",
    ),
    "arrays-padding": Entry(
        "a grade of −1 is padding in some libraries and a judgment in TREC",
        "say which: padding=-1, or negative='judged'",
        "Matrices of ranked lists are padded to one width. TF-Ranking and allRank give such places the label −1 and "
        "some score, and a document that is not there would take a rank.",
    ),
    "scores-table": Entry(
        "scores of another tool come with a row for each run, topic and measure",
        "give the columns name, qid, measure and value, as pt.Experiment(…, perquery=True) returns them",
        "A table of scores by topic lacks a column, names a run, topic and measure twice, holds a value that is no "
        "number, has two signatures under one measure, or holds means only. Runs are tested topic by topic, so every "
        "score must belong to one topic.",
    ),
    "scenario-refuses": Entry(
        "a scenario named after another tool gives that tool's number or none",
        "make the choice yourself, or use another scenario",
        "The scenario reproduces the rules of another tool, and the data hold a case in which that tool's number "
        "follows from what the files do not show (the order of tied documents), does not exist, or is an error of the "
        "tool that is not imitated. A choice of your own (--ties, --negative, --gains) settles the case, and is "
        "signed.",
    ),
    "scenario-unknown": Entry(
        "a scenario is one of the named ones or a TOML file",
        "see `gaincurve ls scenarios`",
        "No scenario has this name, and no file is there either.",
    ),
    "scenario-file": Entry(
        "a scenario file is TOML with known keys",
        "keys: name, about, extends, gains, discount, base, depth, ideal, ties, unjudged, missing, empty, "
        "negative, points, session",
        "The scenario file cannot be read, is not TOML, or has an unknown key.",
    ),
    "list-unknown": Entry(
        "`gaincurve ls` has a fixed set of lists",
        "gaincurve ls measures",
        "`gaincurve ls` was asked for a list it does not have.",
    ),
    "choice-unknown": Entry(
        "a mistyped value must not change a number unnoticed",
        "use one of the values listed",
        "An option has a value that is not among its choices.",
    ),
    "gains-syntax": Entry(
        "gains are identity, binary, binary(rel=2), exp2, a list by grade such as 0-1-10-100, or a mapping: 1=3,2=9",
        "e.g. --gains exp2 for 2^grade − 1, or --gains 0-1-10-100 for the gains of grades 0, 1, 2 and 3",
        "The gain scheme cannot be read, or gives a document a negative or infinite gain.",
    ),
    "gains-grade": Entry(
        "a grade without a gain would silently count as something",
        "give a gain for every grade in the judgments",
        "The judgments hold a grade for which the chosen gains have no value. The grade, a topic and a "
        "document are named.",
    ),
    "gains-range": Entry(
        "gains are 0 or lie between 1e-60 and 1e60: sums of others overflow or lose their digits, and nDCG comes "
        "out as 0 or undefined",
        "divide all gains by one number (nDCG stays the same), or choose gains that grow less: identity, not exp2",
        "A gain, or the gain that a scheme such as exp2 makes of a grade, is too large or too small to be summed and "
        "squared. The gains and the grade are named.",
    ),
    "discount-base": Entry(
        "the base of a logarithmic discount is a number above 1, or inf for no discount",
        "for example --base 2",
        "The base is not above 1, is not a number, or is given for a discount that has none.",
    ),
    "format-unknown": Entry(
        "the output format is given by -f or by the suffix of -o",
        "see `gaincurve ls formats`",
        "The output format is not known, or this command cannot write it.",
    ),
    "output-unwritable": Entry(
        "the operating system refused to write it",
        "choose another path; an existing file was left as it was",
        "The output file cannot be written. Files are written whole or not at all.",
    ),
    "output-is-input": Entry(
        "the result would replace what it was computed from",
        "write to another file",
        "-o names a file that the command reads, by this name or through a link. Nothing was read or written.",
    ),
    "memory": Entry(
        "the operating system gave no more memory",
        "free some memory, use a larger machine, or pass runs as plain TREC files, which are read block by block",
        "An allocation failed. GAINCURVE_MEMORY, e.g. 4G, bounds what is read into memory, so that a large file is "
        "refused before this happens.",
    ),
    "input-memory": Entry(
        "reading it whole would need more memory than gaincurve may use",
        "set GAINCURVE_MEMORY, e.g. 16G, or sort the run by topic: TREC columns and Parquet are read block by block",
        "A file, or what standard input delivers without end, needs more memory than the bound allows: half of what "
        "the machine or the container has, or what the environment variable GAINCURVE_MEMORY says (500M, 4G, bytes). "
        "Runs in TREC columns, Parquet and Arrow files whose rows are grouped by topic are read block by block and may "
        "be of any size.",
    ),
    "input-temporary": Entry(
        "rows of a table whose topics are scattered are kept in temporary files before they are graded",
        "free some space or set TMPDIR to a folder that has it; a table sorted by run and topic needs no files",
        "The folder for temporary files is full or may not be written. They are needed where the rows of a topic are "
        "scattered over a large table, and take about as much room as the same run as text. Nothing of them is left.",
    ),
    "memory-setting": Entry(
        "GAINCURVE_MEMORY bounds what is read into memory",
        "use bytes, or a number with K, M, G or T: 500M, 4G",
        "The environment variable GAINCURVE_MEMORY is not a positive number of bytes.",
    ),
    "extra-missing": Entry(
        "this needs an optional package",
        "install it",
        "An optional package is not installed. The message holds the install line.",
    ),
    "spark-bucket": Entry(
        "a task holds the rows of a bucket in memory, in 100 bytes each, and in up to 400 where a list is very long",
        "give more buckets (buckets=…); where one topic is too long by itself, cut its lists or raise most_rows=…",
        "On Spark the rows of a topic are graded together, in one bucket of topics. This bucket has more rows than a "
        "task is meant to hold. `most_rows` says how many that are, if your executors have the memory.",
    ),
    "spark-driver": Entry(
        "tests and tables need the values of all topics in one place",
        "gs.summary(per) gives means and standard deviations without them; or ask for fewer measures or runs at a time",
        "More values by topic were asked for than the driver of Spark is meant to hold. Their means do not need them.",
    ),
    "spark-failed": Entry(
        "Spark stopped where it read or computed; its log on stderr says more",
        "check the path and the file, the master, and what Spark's log says",
        "Spark itself reported an error: a file that is not what its name says, a master that does not answer, a full "
        "disk. The first line of its report is shown.",
    ),
    "spark-resumed": Entry(
        "values in the folder are reused only if this call would compute the same; mixed values mean nothing",
        "give out= another folder, or delete this one",
        "On Spark a folder given as `out` keeps the values of every bucket of topics, so that what was stopped can go "
        "on. This folder was begun with other measures, choices, runs, numbers of buckets, or other data.",
    ),
    "topics-too-few": Entry(
        "a difference is tested over topics, and one topic has no spread",
        "evaluate on at least 2 topics that all runs share; 25 or more are usual",
        "Fewer than two topics have a value for every system compared.",
    ),
    "runs-too-few": Entry(
        "a comparison needs something to compare with",
        "give at least two runs",
        "Only one run was given where systems are compared.",
    ),
    "run-unknown": Entry(
        "a system is named by its run's name",
        "name one of the runs given; a run is named after its file",
        "The run named as baseline is not among the runs.",
    ),
    "statistics-value": Entry(
        "a significance level lies between 0 and 1, an effect is not 0, draws and seeds are whole numbers",
        "correct the value",
        "An argument of a statistical function lies outside its range.",
    ),
    "test-not-possible": Entry(
        "not every test answers every question",
        "see `gaincurve ls tests`",
        "The test cannot be combined with what was asked: a test for all pairs with a baseline, a correction on "
        "p-values that already hold for the whole family, or a post-hoc comparison without its test.",
    ),
    "choices-made": Entry(
        "scores have been computed already, and a choice made later would not change them",
        "give it to evaluate, or give judgments and runs in place of the scores",
        "A choice that decides scores was given together with scores that are there already.",
    ),
    "gate-limit": Entry(
        "a gate holds a candidate to limits, each of a measure: nDCG@10=0.01, or nDCG@10=1%",
        "give --max-drop, --not-worse-by, --min, --max-topic-drop or --min-judged, e.g. --max-drop nDCG@10=0.01",
        "A limit of a gate cannot be read, cannot hold for these runs, or none was given.",
    ),
    "judgments-disjoint": Entry(
        "judges can only be compared on documents that both have judged",
        "check that topic and document ids agree in both files",
        "Two sets of judgments have no topic and document in common.",
    ),
    "session-record": Entry(
        "a query of a session log needs its session, its number and its ranking",
        'for example {"session": "s1", "query": 1, "topic": "301", "ranking": ["d1", "d2"]}',
        "A line of a session log lacks one of these, or a value is of the wrong kind. A query without results has "
        "an empty ranking. Clicks are documents of the ranking or their ranks; depth is the number of documents looked "
        "at. All queries of a session are one user's.",
    ),
    "session-fields": Entry(
        "a session log is recognised by the names of its fields, and another name is never guessed",
        "name the keys, e.g. --fields session=session_id,ranking=results",
        "The records of a file look like those of a session log, but fields are missing or have other names: session, "
        "query (or time) and ranking, or in long form document. --fields says which key is which; in Python "
        'fields={"session": "session_id"}. Events of OpenSearch UBI need the queries beside them.',
    ),
    "session-time": Entry(
        "time stamps decide the order of queries and, with --idle, where a session ends",
        "write times as 2026-03-01T09:30:00Z or as seconds, all of one kind",
        "A time stamp cannot be read, some have a time zone and others none, dates are mixed with numbers, a query has "
        "no time where --idle needs one, or the numbers of queries contradict their times there.",
    ),
    "session-query": Entry(
        "the position of a query decides how much its results count",
        "number the queries of each session 1, 2, 3, …, each once",
        "A query number is repeated, missing, or not a whole number from 1 on; or a run answers a query that the "
        "complete log beside it does not have. In a TREC run a missing number may be a query that returned nothing: "
        "--gaps empty says so, and --queries FILE names all queries.",
    ),
    "session-without-topic": Entry(
        "results are judged by the topic of their session",
        "--map FILE names the topic of each session; --unmapped skip leaves such sessions out",
        "A session has no topic: its log names none, the map does not know it, and neither the query nor the session "
        "is itself a judged topic.",
    ),
    "session-unknown": Entry(
        "sessions are named by their exact text, and a session nobody answered would silently vanish from the means",
        "correct the id; --queries FILE lists the queries of such sessions; --missing skip leaves them out",
        "A session is named in the map or on the command line, but no file has it; or a run holds a session that the "
        "complete log beside it does not have.",
    ),
    "session-missing": Entry(
        "--missing error wants every session in every run",
        "--missing zero counts such sessions as empty lists, --missing skip leaves them out",
        "A system has no results for some sessions that the others answered.",
    ),
    "session-map": Entry(
        "each session is on one topic",
        "give one line per session: session, topic",
        "A line of the map has fewer than two columns, or a session is given two different topics.",
    ),
    "session-pattern": Entry(
        "the topic field of a run of sessions names the session and the number of the query",
        "give the pattern, e.g. --pattern 's{session}.q{query}'",
        "A topic cannot be taken apart into session and query number. Without --pattern the usual spellings are tried: "
        "s12.q3, 12_3, 12.3, 12-3.",
    ),
    "session-xml": Entry(
        "the file cannot be read as TREC Session Track XML",
        "check the element named; see `gaincurve ls formats`",
        "The XML is not well-formed, or lacks a number or a document where one is needed. A bare & is tolerated.",
    ),
    "session-xml-entity": Entry(
        "entities can read other files or grow without end, and session logs need none",
        "remove the <!DOCTYPE …> part",
        "The XML declares a document type. It is refused before anything in it is processed.",
    ),
    "session-choices": Entry(
        "these choices contradict each other or go beyond what can be computed",
        "see docs/conventions.md, sessions",
        "Two choices for sessions do not go together, such as normalise='per_query' with another ideal than 'repeat', "
        "or esNDCG on sessions judged query by query; or a horizon or a depth is too large.",
    ),
    "session-design": Entry(
        "paired differences need the same sessions, answered by every system",
        "drop --design, or give logs of the same sessions",
        "The sessions of two logs differ in id, in user, in the topic of a query or in the number of queries.",
    ),
    "session-by": Entry(
        "a mean by topic or user needs one for every session",
        "drop --by or --unit",
        "--by user, --unit user: some session has no user; add it to the log. --by topic, --unit topic: some session "
        "is judged on several topics. Single lists have no such unit.",
    ),
    "texts-format": Entry(
        "texts of topics and documents are a table of id and text, JSON, SMART's fields or TREC's tags",
        "give one text per line: the id, a tab, the text; `gaincurve ls formats` lists the others",
        "The first line of a file of texts fits none of the formats that are recognised.",
    ),
    "texts-record": Entry(
        "a text is shown beside the topic or document of its id",
        "give each record an id and a text",
        "A record of a file of texts has no id, or no text where one is expected; or a text is a number or a list.",
    ),
    "report-choices": Entry(
        "a report recomputes every number in the page, in one order of the documents",
        "choose what the page can show",
        "The page knows the measures that gaincurve report --help lists, without parameters that are not among its "
        "controls; it shows lists in one order, so ties cannot be averaged; and very many sessions do not fit into it.",
    ),
    "query-unjudged": Entry(
        "--unjudged-queries error refuses queries whose topic nobody judged",
        "--unjudged-queries skip leaves them out of means over queries, zero counts them as 0",
        "A query without judgments has no score: whether it found anything is not known.",
    ),
    "sessions-none-left": Entry(
        "a filter leaves no session to show",
        "choose another --topic, or a smaller --at-least",
        "A mean or a figure of no session would be empty.",
    ),
    "session-undefined": Entry(
        "--empty error refuses sessions in which nothing can be gained",
        "--empty undefined leaves them out, --empty zero counts them as 0",
        "The topic of a session has no judged document of positive gain, so there is no ideal to compare with.",
    ),
    "judgments-strata": Entry(
        "estimates weigh a sampled document by one over its probability, so a wrong one makes a wrong number",
        "give every sampled document of a stratum the same p, above 0 and at most 1; grade −1 means not sampled",
        "Judgments of a sample name the stratum of each document (fifth column `topic 0 document stratum grade`, or a "
        "column `stratum`) and may name its probability (`p`). A probability outside (0, 1] or missing beside a grade, "
        "probabilities that differ within a stratum of a topic, and negative grades other than −1 are refused.",
    ),
    "judgments-no-sample": Entry(
        "an estimate needs the probability with which each document was drawn; the top of a pool is not a sample",
        "give strata or probabilities: `gaincurve pool --method sample` draws a sample and records both",
        "Judgments of four columns do not say how their documents were chosen. Usually they are the first documents of "
        "each run, which are relevant more often than the rest, so that no estimate can be made from them.",
    ),
    "labels-missing": Entry(
        "the machine's labels are added up over the whole pool, so each of its documents needs one",
        "label these documents too, or leave them out of the pool",
        "A document of the pool (or one that a person judged) has no label in the file given as --machine, or one "
        "below 0, which labelling tools write where they have no answer.",
    ),
    "labels-of-tops": Entry(
        "labels of the top of a pool are relevant more often than the rest and would make every estimate too high",
        "judge a random sample (`gaincurve pool --method sample`) and give its strata or probabilities",
        "With --assume-random the judged documents should be anywhere in the runs. They rank so high that chance "
        "is ruled out: somebody judged from the top.",
    ),
    "estimate-measure": Entry(
        "totals over documents, and ratios of two of them, can be estimated from a sample without bias or nearly so",
        "CG, DCG, nCG, nDCG, P, R at a cutoff, NumRel; xinfAP, infNDCG, iP, iNumRel, iNumRelRet of strata",
        "The measure, or a choice made with it, has no estimator from a sample here.",
    ),
    "recapture-same": Entry(
        "recapture compares what two independent searches found, and these hold the same documents",
        "give what two searches found; to compare two judges: gaincurve agree",
        "Both sets of judgments hold the same documents. How many relevant ones neither has seen cannot be learnt from "
        "that.",
    ),
    "format-one-run": Entry(
        "the text of the program has no place for a second run",
        "give one run, or another --format",
        "-f sample_eval prints what NIST's script prints, for one run.",
    ),
    "judgments-stratum-empty": Entry(
        "nothing is known of a part of the pool in which nobody judged anything",
        "judge at least one document of it; --empty-strata skip counts it as if nothing were relevant, as sample_eval "
        "does (in a measure's brackets: empty_strata='skip')",
        "A stratum of a topic has pooled documents and no sampled one. The message names stratum and topic.",
    ),
    "pool-strata": Entry(
        "each rank belongs to one stratum, and of each a known share is drawn",
        "for example --strata 1-10:1,11-100:.2,101-1000:.05",
        "Strata are ranges of best ranks with the share to draw of each. Ranges may not overlap; a share is above "
        "0 and at most 1.",
    ),
    "pool-answers": Entry(
        "an order that follows the judge's answers needs answers",
        "give --judgments QRELS",
        "Adaptive pools (mtf, mm-ns) and replays follow judgments that exist. A sample has no order to replay.",
    ),
    "pool-groups": Entry(
        "a run belongs to one team",
        "one line for each run: RUN TEAM",
        "The file of `pool --reuse --groups` names runs that were not given, leaves some out, or names one twice.",
    ),
    "decide-measure": Entry(
        "what a judgment can change is proved for sums over ranks and for shares of an ideal, and for nothing else",
        "use CG, DCG, nCG, nDCG, P, R or RBP(top=3) with a cutoff of at most 1000",
        "`decide` bounds the difference of two systems over all judgings. For AP, RR and others no rule for their "
        "difference is proved, so they are refused.",
    ),
    "decide-scale": Entry(
        "without grades it is unknown what an unjudged document could gain",
        "name them, for example --scale 0-3 or --scale 0,1,3",
        "The scale is the grades that a judge can give: two different ones at least. Without judgments it must be "
        "named; judgments with other grades than the scale's are refused.",
    ),
    "decide-prior": Entry(
        "a prior gives each grade of the scale a weight",
        "one line for each grade: GRADE WEIGHT; weights are 0 or more, and not all 0",
        "The file of `decide --prior` lacks a grade of the scale, names another, or holds a text that is no weight.",
    ),
}
