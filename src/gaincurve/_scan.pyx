# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Scan and grade a block of TREC lines in one pass, without Python objects and without the GIL.

`Index` holds judgments for look-up; `grade_block` reads whole topics from a block of text. Whatever it is not sure of
(a wrong number of columns, a number that is not a plain decimal, a repeated document, a very long id) it does not
judge: it answers None, and the reader in NumPy, which knows all rules and messages, takes over. Numbers are those of
Python's float: short decimals by one exact division, others by the C library's strtod, which rounds correctly.
"""

from libc.math cimport HUGE_VAL, floor, isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc, strtod
from libc.string cimport memchr, memcmp, memcpy, memset

import numpy as np

cdef extern from *:
    """
    /* Bit i of spaces_in(text) tells whether byte i of 64 is white space; lowest(bits) is the place of the first. */
    #if defined(__SSE2__) && !defined(GAINCURVE_PLAIN)
    #include <emmintrin.h>
    static uint64_t spaces_in_16(const uint8_t* text) {
        const __m128i bytes = _mm_loadu_si128((const __m128i*)text);
        const __m128i from_tab = _mm_sub_epi8(bytes, _mm_set1_epi8(9));
        const __m128i tab_to_return = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(4)), from_tab);
        return (uint64_t)_mm_movemask_epi8(_mm_or_si128(tab_to_return, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(32))));
    }
    static uint64_t spaces_in(const uint8_t* text) {
        return spaces_in_16(text) | spaces_in_16(text + 16) << 16
            | spaces_in_16(text + 32) << 32 | spaces_in_16(text + 48) << 48;
    }
    #else
    static uint64_t spaces_in(const uint8_t* text) {
        uint64_t bits = 0;
        for (int i = 0; i < 64; i++)
            bits |= (uint64_t)(text[i] == 32 || (uint8_t)(text[i] - 9) < 5) << i;
        return bits;
    }
    #endif
    #ifdef __GLIBC__
    #include <malloc.h>
    #define give_back() malloc_trim(0)
    #else
    #define give_back()
    #endif
    #ifdef _MSC_VER
    #include <intrin.h>
    static int lowest(uint64_t bits) { unsigned long place; _BitScanForward64(&place, bits); return (int)place; }
    #else
    #define lowest __builtin_ctzll
    #endif
    """
    uint64_t spaces_in(const uint8_t* text) nogil
    int lowest(uint64_t bits) nogil
    void give_back() nogil


cdef enum:
    MOST_COLUMNS = 8        # of a line whose tokens are remembered
    LONGEST_ID = 512        # longer ids are hashed differently by the twin, and left to it
    LONGEST_NUMBER = 64
    MOST_PROBES = 4096      # more in one table means keys made to collide: the twin sorts instead
    FLOAT32 = 1
    FILE_ORDER = 2
    MOST_DIGITS = 9         # of a query's number; a longer one names no query

VERSION = 3                 # changes with what this module offers, here and in _compiled.py

cdef uint64_t MULTIPLY = 0x9E3779B97F4A7C15ULL
cdef uint64_t MOST_EXACT = <uint64_t>1 << 53    # whole numbers up to here are exact as floats
cdef double[23] POWERS

cdef void _tables() noexcept:
    cdef int i
    for i in range(23):
        POWERS[i] = 10.0 ** i


_tables()


cdef inline uint64_t scramble(uint64_t key) noexcept nogil:
    key = (key ^ (key >> 29)) * MULTIPLY
    return (key ^ (key >> 29)) * MULTIPLY


cdef inline uint64_t hash_id(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """The same key as `gaincurve.model.ids.hash_ids` for ids up to LONGEST_ID bytes; 8 bytes behind it must be readable.

    Of a longer id only the first LONGEST_ID bytes are in the key.
    """
    cdef uint64_t key = scramble(<uint64_t>length)
    cdef uint64_t word
    cdef Py_ssize_t steps = (min(length, LONGEST_ID) + 7) // 8
    cdef Py_ssize_t left, step
    for step in range(steps):
        memcpy(&word, text + 8 * step, 8)
        left = length - 8 * step
        if left < 8:
            word &= (<uint64_t>1 << (8 * left)) - 1
        key = scramble(key ^ word)
    return key


cdef struct Document:
    double score
    const uint8_t* text
    int32_t length
    int64_t judgment        # its row in the judgments, -1 if unjudged


cdef int later(const void* left, const void* right) noexcept nogil:
    """qsort's order: score descending, then id descending byte by byte."""
    cdef const Document* a = <const Document*>left
    cdef const Document* b = <const Document*>right
    cdef int32_t shared
    cdef int differ
    if a.score != b.score:
        return -1 if a.score > b.score else 1
    shared = a.length if a.length < b.length else b.length
    differ = memcmp(b.text, a.text, shared)
    if differ:
        return differ
    return (b.length > a.length) - (b.length < a.length)


cdef inline bint read_digits(const uint8_t* text, Py_ssize_t length, uint64_t* value) noexcept nogil:
    """One to eight digits at once, each a byte of a word: added up in pairs, fours and eights. False if one is none."""
    cdef uint64_t digits
    memcpy(&digits, text, 8)
    digits = (digits ^ 0x3030303030303030ULL) << (64 - 8 * length)  # zeros lead
    if (digits | (digits + 0x0606060606060606ULL)) & 0xF0F0F0F0F0F0F0F0ULL:
        return False
    digits = (10 * digits + (digits >> 8)) & 0x00FF00FF00FF00FFULL
    digits = (100 * digits + (digits >> 16)) & 0x0000FFFF0000FFFFULL
    value[0] = (10000 * digits + (digits >> 32)) & 0xFFFFFFFFULL
    return True


cdef inline bint read_number(const uint8_t* text, Py_ssize_t length, double* value) noexcept nogil:
    """A decimal number as Python's float reads it; False if it is anything else, even if float would take it.

    Most have at most eight digits before a dot and eight behind it: a whole number and a power of ten, both exact.
    """
    cdef bint negative = text[0] == 45
    cdef Py_ssize_t dot = negative, decimals
    cdef uint64_t whole, parts
    while dot < length and text[dot] != 46:
        dot += 1
    decimals = length - dot - 1
    if not 0 < dot - negative <= 8 or decimals > 8 or not read_digits(text + negative, dot - negative, &whole):
        return read_any_number(text, length, value)
    value[0] = <double><int64_t>whole
    if decimals > 0:
        if not read_digits(text + dot + 1, decimals, &parts):
            return read_any_number(text, length, value)
        whole = whole * <uint64_t><int64_t>POWERS[decimals] + parts
        if whole > MOST_EXACT:
            return read_any_number(text, length, value)
        value[0] = <double><int64_t>whole / POWERS[decimals]
    if negative:
        value[0] = -value[0]
    return True


cdef bint read_any_number(const uint8_t* text, Py_ssize_t length, double* value) noexcept nogil:
    """The others: longer, with a plus or a power of ten."""
    cdef uint64_t mantissa = 0
    cdef int digits = 0, exponent = 0, power = 0, power_digits = 0
    cdef bint negative = False, dotted = False, power_negative = False, exact = True
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    cdef char[LONGEST_NUMBER + 1] copy
    cdef char* end
    if length and (text[0] == 45 or text[0] == 43):
        negative = text[0] == 45
        i = 1
    while i < length:
        c = text[i]
        if 48 <= c <= 57:
            digits += 1
            if mantissa < 100000000000000000ULL:
                mantissa = mantissa * 10 + (c - 48)
                exponent -= dotted
            else:
                exact = False
        elif c == 46 and not dotted:
            dotted = True
        else:
            break
        i += 1
    if not digits:
        return 0
    if i < length:
        if text[i] != 101 and text[i] != 69:
            return 0
        i += 1
        if i < length and (text[i] == 45 or text[i] == 43):
            power_negative = text[i] == 45
            i += 1
        while i < length and 48 <= text[i] <= 57:
            power_digits += 1
            if power < 100000:
                power = power * 10 + (text[i] - 48)
            i += 1
        if not power_digits or i < length or power >= 100000:
            return 0
        exponent += -power if power_negative else power
    if exact and mantissa <= MOST_EXACT and -22 <= exponent <= 22:
        value[0] = <double>mantissa / POWERS[-exponent] if exponent < 0 else <double>mantissa * POWERS[exponent]
    else:
        if length > LONGEST_NUMBER:
            return 0
        memcpy(copy, text, length)
        copy[length] = 0
        value[0] = strtod(copy, &end)
        if end != copy + length or not isfinite(value[0]):
            return 0
        return 1
    if negative:
        value[0] = -value[0]
    return 1


cdef class Index:
    """Judgments ready for look-up, read-only once made: an open table of names, and the rows of each judged topic.

    A name leads to the judged topic `base[i]` (-1: none). The name of a list is its token; with a pattern (`between` is
    not empty) the part of the token that names the session, as `gaincurve.io.sessions.query_ids` takes it apart.
    """

    cdef uint64_t* name_key
    cdef int32_t* name_row
    cdef int shift
    cdef uint64_t mask
    cdef const uint64_t[::1] keys
    cdef const int64_t[::1] offsets
    cdef const uint8_t[::1] documents
    cdef const int64_t[::1] starts
    cdef const int32_t[::1] lengths
    cdef const uint64_t[::1] topic_hashes
    cdef const uint8_t[::1] names
    cdef const int64_t[::1] name_starts
    cdef const int32_t[::1] name_lengths
    cdef const int32_t[::1] base
    cdef bytes before, between, after
    cdef const char* before_text
    cdef const char* between_text
    cdef const char* after_text
    cdef Py_ssize_t before_length, between_length, after_length

    def __cinit__(
        self,
        const uint64_t[::1] keys not None,
        const int64_t[::1] offsets not None,
        const uint8_t[::1] documents not None,
        const int64_t[::1] starts not None,
        const int32_t[::1] lengths not None,
        const uint64_t[::1] topic_hashes not None,
        const uint64_t[::1] name_keys not None,
        const uint8_t[::1] names not None,
        const int64_t[::1] name_starts not None,
        const int32_t[::1] name_lengths not None,
        const int32_t[::1] base not None,
        bytes before not None=b"",
        bytes between not None=b"",
        bytes after not None=b"",
    ):
        cdef int bits = 4, probes
        cdef uint64_t slot
        cdef Py_ssize_t i
        while (<Py_ssize_t>1 << bits) < 2 * name_keys.shape[0]:
            bits += 1
        if base.shape[0] != name_keys.shape[0] or offsets.shape[0] != topic_hashes.shape[0] + 1:
            raise ValueError("every name needs a base, and every topic its rows")
        for i in range(base.shape[0]):
            if base[i] >= topic_hashes.shape[0]:
                raise ValueError("a name leads to a topic that is not there")
        self.keys, self.offsets, self.documents, self.starts, self.lengths = keys, offsets, documents, starts, lengths
        self.topic_hashes, self.base = topic_hashes, base
        self.names, self.name_starts, self.name_lengths = names, name_starts, name_lengths
        self.before, self.between, self.after = before, between, after
        self.before_text, self.between_text, self.after_text = before, between, after
        self.before_length, self.between_length, self.after_length = len(before), len(between), len(after)
        self.name_key = <uint64_t*>malloc((<size_t>1 << bits) * sizeof(uint64_t))
        self.name_row = <int32_t*>malloc((<size_t>1 << bits) * sizeof(int32_t))
        if self.name_key == NULL or self.name_row == NULL:
            raise MemoryError
        self.shift = 64 - bits
        self.mask = (<uint64_t>1 << bits) - 1
        memset(self.name_row, 255, (<size_t>1 << bits) * sizeof(int32_t))
        for i in range(name_keys.shape[0]):
            slot = name_keys[i] >> self.shift
            probes = 0
            while self.name_row[slot] >= 0:
                slot = (slot + 1) & self.mask
                probes += 1
                if probes > MOST_PROBES:
                    raise ValueError("too many names share a key")
            self.name_key[slot] = name_keys[i]
            self.name_row[slot] = <int32_t>i

    def __dealloc__(self):
        free(self.name_key)
        free(self.name_row)

    cdef int32_t find_base(self, const uint8_t* token, Py_ssize_t length) noexcept nogil:
        """The judged topic of the list that a token names, or -1."""
        cdef uint64_t slot, key
        cdef int32_t row
        cdef Py_ssize_t digits = 0
        if self.between_length:  # take the session out of, say, s12.q3
            if length < self.before_length + self.between_length + self.after_length + 2:
                return -1
            length -= self.after_length
            if memcmp(token + length, self.after_text, self.after_length) != 0:
                return -1
            while digits < length and 48 <= token[length - 1 - digits] <= 57:
                digits += 1
            if not 0 < digits <= MOST_DIGITS:
                return -1
            length -= digits + self.between_length
            if length <= self.before_length or memcmp(token, self.before_text, self.before_length) != 0:
                return -1
            if memcmp(token + length, self.between_text, self.between_length) != 0:
                return -1
            token, length = token + self.before_length, length - self.before_length
        key = hash_id(token, length)
        slot = key >> self.shift
        while self.name_row[slot] >= 0:  # a short way: __cinit__ refuses long ones
            row = self.name_row[slot]
            if self.name_key[slot] == key and self.name_lengths[row] == length:
                if memcmp(&self.names[self.name_starts[row]], token, length) == 0:
                    return self.base[row]
            slot = (slot + 1) & self.mask
        return -1


cdef struct Matches:
    # Growing columns: five of judged documents, three of unjudged ones, four of topics.
    int64_t* rows
    Py_ssize_t count
    Py_ssize_t room
    int64_t* unjudged
    Py_ssize_t unjudged_count
    Py_ssize_t unjudged_room
    int64_t* topics
    Py_ssize_t topic_count
    Py_ssize_t topic_room
    # Topics whose rank column contradicts the scores, and those whose ranks do not ascend: they need a closer look.
    Py_ssize_t contradicting
    Py_ssize_t unordered
    # Steps from line to line on which the ranks claim no order, and those of them on which the score rises.
    Py_ssize_t level
    Py_ssize_t rising


cdef struct Ranks:
    # The rank column of one topic so far: the lowest score of all ranks before the last one, and of that one.
    double last
    double score
    double low_before
    double low_here
    bint contradicts
    bint unordered
    bint unknown
    Py_ssize_t level
    Py_ssize_t rising


cdef inline bint read_rank(const uint8_t* text, Py_ssize_t length, double* value) noexcept nogil:
    """A rank: nearly always a few digits."""
    cdef uint64_t number
    if length > 8 or not read_digits(text, length, &number):
        return read_number(text, length, value)
    value[0] = <double><int64_t>number
    return True


cdef inline void next_rank(Ranks* ranks, double rank, double score, bint first) noexcept nogil:
    """Go on to the next line of a topic, or to its first one."""
    if first:
        ranks.contradicts = ranks.unordered = ranks.unknown = False
        ranks.low_before, ranks.low_here, ranks.last, ranks.score = HUGE_VAL, score, rank, score
        ranks.level = ranks.rising = 0
        return
    if rank > ranks.last:
        ranks.low_before = min(ranks.low_before, ranks.low_here)
        ranks.last, ranks.low_here = rank, score
    elif rank == ranks.last:
        ranks.low_here = min(ranks.low_here, score)
        ranks.level += 1
        ranks.rising += score > ranks.score
    else:
        ranks.unordered = True
    ranks.contradicts = ranks.contradicts or score > ranks.low_before
    ranks.score = score


cdef inline void close_ranks(Ranks* ranks, Matches* matches) noexcept nogil:
    """Count the topic that ends here."""
    if not ranks.unknown:
        matches.unordered += ranks.unordered
        matches.contradicting += ranks.contradicts and not ranks.unordered
    matches.level += ranks.level
    matches.rising += ranks.rising


cdef struct Work:
    # One topic's documents, and an open table of them to notice a repeated one.
    Document* documents
    uint64_t* keys
    Py_ssize_t count
    Py_ssize_t room
    uint64_t* seen          # number of the topic, and of the document in it
    uint32_t now
    Py_ssize_t slots
    # The topic's judgments in an open table with at least fifteen of sixteen slots free.
    int64_t* judged
    Py_ssize_t judged_slots
    Py_ssize_t judged_room


cdef bint grow(void** column, Py_ssize_t room, size_t size) noexcept nogil:
    cdef void* more = realloc(column[0], room * size)
    if more == NULL:
        return False
    column[0] = more
    return True


cdef bint more_documents(Work* work) noexcept nogil:
    """Room for twice as many documents, and a table most of whose slots stay free: a taken one misleads the processor."""
    cdef Py_ssize_t room = 2 * work.room if work.room else 1024
    cdef Py_ssize_t slots = 8 * room
    cdef Py_ssize_t i
    if not grow(<void**>&work.documents, room, sizeof(Document)):
        return False
    if not grow(<void**>&work.keys, room, sizeof(uint64_t)):
        return False
    free(work.seen)
    work.seen = <uint64_t*>calloc(slots, sizeof(uint64_t))
    if work.seen == NULL:
        return False
    work.room, work.slots, work.now = room, slots, 1
    for i in range(work.count):
        enter(work, i)
    return True


cdef bint enter(Work* work, Py_ssize_t i) noexcept nogil:
    """Put document i into the table; False if it stands there already (or the table cannot tell in time)."""
    cdef uint64_t mask = <uint64_t>(work.slots - 1)
    cdef uint64_t slot = (work.keys[i] >> 24) & mask
    cdef Document* here = &work.documents[i]
    cdef Document* other
    cdef int probes = 0
    while work.seen[slot] >> 32 == work.now:
        if work.keys[<uint32_t>work.seen[slot]] == work.keys[i]:
            other = &work.documents[<uint32_t>work.seen[slot]]
            if other.length == here.length and memcmp(other.text, here.text, here.length) == 0:
                return False
        slot = (slot + 1) & mask
        probes += 1
        if probes > MOST_PROBES:
            return False
    work.seen[slot] = <uint64_t>work.now << 32 | <uint64_t>i
    return True


cdef int begin_topic(Index index, int32_t topic, Work* work) noexcept nogil:
    """Lay out the topic's judgments for look-up. 0: done; 1: keys collide; 2: no memory."""
    cdef Py_ssize_t slots = 16
    cdef Py_ssize_t row, probes
    cdef uint64_t slot
    if topic < 0:
        work.judged_slots = 0
        return 0
    while slots < 16 * (index.offsets[topic + 1] - index.offsets[topic]):
        slots *= 2
    if slots > work.judged_room:
        if not grow(<void**>&work.judged, slots, sizeof(int64_t)):
            return 2
        work.judged_room = slots
    work.judged_slots = slots
    memset(work.judged, 255, slots * sizeof(int64_t))
    for row in range(index.offsets[topic], index.offsets[topic + 1]):
        slot = (index.keys[row] >> 24) & <uint64_t>(slots - 1)
        probes = 0
        while work.judged[slot] >= 0:
            slot = (slot + 1) & <uint64_t>(slots - 1)
            probes += 1
            if probes > MOST_PROBES:
                return 1
        work.judged[slot] = row
    return 0


cdef inline int64_t find(
    Index index, Work* work, uint64_t key, const uint8_t* text, Py_ssize_t length
) noexcept nogil:
    """The document's row in the judgments of the topic, or -1."""
    cdef uint64_t mask = <uint64_t>(work.judged_slots - 1)
    cdef uint64_t slot = (key >> 24) & mask
    cdef int64_t row = work.judged[slot]
    while row >= 0:
        if index.keys[row] == key and index.lengths[row] == length:
            if memcmp(&index.documents[index.starts[row]], text, length) == 0:
                return row
        slot = (slot + 1) & mask
        row = work.judged[slot]
    return -1


cdef bint finish_topic(
    Work* work, Matches* matches, const uint8_t* base, const uint8_t* topic, Py_ssize_t length, int32_t judged,
    uint64_t mix, bint rising, bint tied, int rule, Py_ssize_t shown,
) noexcept nogil:
    """Rank the topic's documents, and keep the judged ones with rank and tied block, and of the first `shown` ranks
    the unjudged ones with rank and key. False: no memory."""
    cdef Py_ssize_t i, j, block, n = work.count
    cdef Document* documents = work.documents
    cdef int64_t* row
    if rule != FILE_ORDER:
        if rising:
            qsort(documents, n, sizeof(Document), later)
        elif tied:
            i = 0
            while i < n:
                j = i + 1
                while j < n and documents[j].score == documents[i].score:
                    j += 1
                if j - i > 1:
                    qsort(documents + i, j - i, sizeof(Document), later)
                i = j
    if matches.topic_count == matches.topic_room:
        matches.topic_room = 2 * matches.topic_room if matches.topic_room else 256
        if not grow(<void**>&matches.topics, matches.topic_room, 4 * sizeof(int64_t)):
            return False
    row = matches.topics + 4 * matches.topic_count
    row[0], row[1], row[2], row[3] = topic - base, length, judged, n
    i = 0
    while i < n:
        block = i + 1
        if rule != FILE_ORDER:
            while block < n and documents[block].score == documents[i].score:
                block += 1
        for j in range(i, block):
            if documents[j].judgment < 0:
                if judged >= 0 and j < shown:
                    if matches.unjudged_count == matches.unjudged_room:
                        matches.unjudged_room = 2 * matches.unjudged_room if matches.unjudged_room else 4096
                        if not grow(<void**>&matches.unjudged, matches.unjudged_room, 3 * sizeof(int64_t)):
                            return False
                    row = matches.unjudged + 3 * matches.unjudged_count
                    row[0], row[1] = matches.topic_count, j + 1
                    row[2] = <int64_t>scramble(hash_id(documents[j].text, documents[j].length) ^ mix)
                    matches.unjudged_count += 1
                continue
            if matches.count == matches.room:
                matches.room = 2 * matches.room if matches.room else 4096
                if not grow(<void**>&matches.rows, matches.room, 5 * sizeof(int64_t)):
                    return False
            row = matches.rows + 5 * matches.count
            row[0], row[1], row[2] = matches.topic_count, j + 1, i + 1
            row[3], row[4] = block, documents[j].judgment
            matches.count += 1
        i = block
    matches.topic_count += 1
    work.count = 0
    work.now += 1
    return True


cdef struct Spaces:
    # A walk from white space to white space, 64 bytes at a time; at the end of the text stands a newline.
    const uint8_t* here
    const uint8_t* end
    uint64_t left           # of the 64 bytes from `here` on: which are white space and still to come
    uint8_t[64] tail


cdef void look(Spaces* spaces) noexcept nogil:
    """Find the white space of the 64 bytes from `here` on; no byte behind the end is read."""
    cdef Py_ssize_t size = spaces.end - spaces.here
    if size >= 64:
        spaces.left = spaces_in(spaces.here)
        return
    memset(spaces.tail, 10, 64)
    if size > 0:
        memcpy(spaces.tail, spaces.here, size)
    spaces.left = spaces_in(spaces.tail)


cdef struct Token:
    const uint8_t* text
    Py_ssize_t length


cdef inline int next_line(Spaces* spaces, const uint8_t** at, Token* tokens) noexcept nogil:
    """The tokens of the line at `at`, which moves on to the next one, and how many there are."""
    cdef const uint8_t* token = at[0]
    cdef const uint8_t* space
    cdef int columns = 0
    while True:
        while not spaces.left:
            spaces.here += 64
            look(spaces)
        space = spaces.here + lowest(spaces.left)
        spaces.left &= spaces.left - 1
        if space > token:
            if columns < MOST_COLUMNS:
                tokens[columns].text, tokens[columns].length = token, space - token
            columns += 1
        token = space + 1
        if space >= spaces.end or space[0] == 10:
            at[0] = token
            return columns


cdef inline bint same(const Token* token, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Whether a token is this text; 8 bytes behind both must be readable."""
    cdef uint64_t one, other
    if token.length != length:
        return False
    if length > 8:
        return memcmp(token.text, text, length) == 0
    memcpy(&one, token.text, 8)
    memcpy(&other, text, 8)
    return not (one ^ other) << (64 - 8 * length)


cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == 32 or <uint8_t>(c - 9) < 5


def next_boundary(const uint8_t[::1] buffer not None, Py_ssize_t start, Py_ssize_t stop):
    """The first place after `start` where a line begins a topic other than the line before it, or `stop`."""
    cdef const uint8_t* line
    cdef const uint8_t* end
    cdef const uint8_t* newline
    cdef const uint8_t* topic = NULL
    cdef Py_ssize_t length = 0
    cdef Token token
    if start < 0 or stop + 8 > buffer.shape[0]:
        raise ValueError("the text lies outside the buffer")
    if start >= stop:
        return stop
    with nogil:
        line, end = &buffer[0] + start, &buffer[0] + stop
        newline = <const uint8_t*>memchr(line, 10, end - line)  # of the line that holds `start`
        while newline != NULL:
            line = newline + 1
            newline = <const uint8_t*>memchr(line, 10, end - line)
            token.text = line
            while token.text < end and token.text != newline and is_space(token.text[0]):
                token.text += 1
            token.length = 0
            while token.text + token.length < end and not is_space(token.text[token.length]):
                token.length += 1
            if token.length == 0 or token.text[0] == 35:  # a blank line or a comment
                continue
            if topic != NULL and not same(&token, topic, length):
                break
            topic, length = token.text, token.length
        else:
            line = end
    return line - &buffer[0]


cdef int scan_lines(
    Index index, const uint8_t* base, Py_ssize_t start, Py_ssize_t stop, int document, int value, int fewest, int most,
    bint negate, int rule, Py_ssize_t shown, int rank, Work* work, Matches* matches,
) noexcept nogil:
    """0: all read; 1: something to be looked at by the twin; 2: no memory."""
    cdef const uint8_t* at = base + start
    cdef const uint8_t* topic = NULL
    cdef Py_ssize_t topic_length = 0
    cdef uint64_t topic_mix = 0, key
    cdef int32_t judged = -1
    cdef int columns, status
    cdef bint rising = False, tied = False
    cdef double score = 0.0, before = 0.0, place = 0.0
    cdef Ranks ranks
    cdef bint known
    cdef Document* here
    cdef Spaces spaces
    cdef Token[MOST_COLUMNS] tokens
    if memchr(at, 0, stop - start) != NULL:
        return 1
    ranks.unknown = True
    spaces.here, spaces.end = at, base + stop
    look(&spaces)
    while at < spaces.end:
        columns = next_line(&spaces, &at, tokens)
        if columns == 0 or tokens[0].text[0] == 35:  # a blank line or a comment
            continue
        if columns < fewest or columns > most or tokens[document].length > LONGEST_ID or tokens[0].length > LONGEST_ID:
            return 1
        if not read_number(tokens[value].text, tokens[value].length, &score):
            return 1
        if negate:
            if score != floor(score):  # a rank that is not whole
                return 1
            score = -score
        if rule == FLOAT32:
            score = <double><float>score
        known = rank >= 0 and read_rank(tokens[rank].text, tokens[rank].length, &place)
        if topic == NULL or not same(&tokens[0], topic, topic_length):
            if negate and score != 0 and score != -1:  # ranks begin at 0 or 1
                return 1
            if topic != NULL:
                close_ranks(&ranks, matches)
                if not finish_topic(work, matches, base, topic, topic_length, judged, topic_mix, rising, tied, rule, shown):
                    return 2
            next_rank(&ranks, place, score, True)
            topic, topic_length = tokens[0].text, tokens[0].length
            judged = index.find_base(topic, topic_length)
            status = begin_topic(index, judged, work)
            if status:
                return status
            topic_mix = scramble(index.topic_hashes[judged]) if judged >= 0 else 0
            rising = tied = False
        else:
            next_rank(&ranks, place, score, False)
            if negate and score != before - 1:  # ranks that do not count in order need a closer look
                return 1
            rising = rising or score > before
            tied = tied or score == before
        ranks.unknown = ranks.unknown or not known
        before = score
        if work.count == work.room and not more_documents(work):
            return 2
        key = scramble(hash_id(tokens[document].text, tokens[document].length) ^ topic_mix)
        here = &work.documents[work.count]
        here.score, here.text, here.judgment = score, tokens[document].text, -1
        here.length = <int32_t>tokens[document].length
        work.keys[work.count] = key
        if not enter(work, work.count):
            return 1
        work.count += 1
        if judged >= 0:
            here.judgment = find(index, work, key, here.text, here.length)
    if topic != NULL:
        close_ranks(&ranks, matches)
        if not finish_topic(work, matches, base, topic, topic_length, judged, topic_mix, rising, tied, rule, shown):
            return 2
    return 0


cdef void empty_work(Work* work) noexcept nogil:
    work.documents, work.keys, work.seen, work.judged = NULL, NULL, NULL, NULL
    work.count = work.room = work.slots = work.judged_slots = work.judged_room = 0
    work.now = 1


cdef void free_work(Work* work) noexcept nogil:
    free(work.documents)
    free(work.keys)
    free(work.seen)
    free(work.judged)


cdef void empty_matches(Matches* matches) noexcept nogil:
    matches.rows, matches.topics, matches.unjudged = NULL, NULL, NULL
    matches.count = matches.room = matches.topic_count = matches.topic_room = 0
    matches.contradicting = matches.unordered = matches.level = matches.rising = 0
    matches.unjudged_count = matches.unjudged_room = 0


cdef void free_matches(Matches* matches) noexcept nogil:
    free(matches.rows)
    free(matches.topics)
    free(matches.unjudged)


cdef object table(const int64_t* values, Py_ssize_t rows, Py_ssize_t width):
    """A copy of growing columns as an array."""
    cdef int64_t[:, ::1] view
    copied = np.empty((rows, width), dtype=np.int64)
    if rows:
        view = copied
        memcpy(&view[0, 0], values, rows * width * sizeof(int64_t))
    return copied


cdef object matched_rows(const Matches* matches):
    return table(matches.rows, matches.count, 5)


cdef object unjudged_rows(const Matches* matches):
    return table(matches.unjudged, matches.unjudged_count, 3)


def grade_block(
    Index index not None, const uint8_t[::1] buffer not None, Py_ssize_t start, Py_ssize_t stop, int document, int value,
    int fewest, int most, bint negate, int rule, Py_ssize_t shown=0, int rank=-1,
):
    """Topics (start, length, judged topic or -1, documents), judged rows (topic, rank, first, last, judgment), and
    unjudged rows (topic, rank, key) of the first `shown` ranks of judged topics.

    With the column of the `rank` also how many topics contradict the scores, how many need a closer look, on how many
    steps from line to line the ranks claim no order, and on how many of these the score rises: else (0, 0, 0, 0).
    The block must begin and end at topic boundaries and have 8 readable bytes behind it. None: leave it to the twin.
    """
    cdef Work work
    cdef Matches matches
    cdef int status
    cdef const uint8_t* base
    if start < 0 or stop < start or stop + 8 > buffer.shape[0] or not 0 < document < fewest <= most <= MOST_COLUMNS:
        raise ValueError("the block lies outside the buffer, or the columns make no sense")
    if not 0 < value < fewest or rank >= fewest or rule not in (0, FLOAT32, FILE_ORDER):
        raise ValueError("the value column or the rule makes no sense")
    base = &buffer[0]
    empty_work(&work)
    empty_matches(&matches)
    try:
        with nogil:
            status = scan_lines(
                index, base, start, stop, document, value, fewest, most, negate, rule, shown, rank, &work, &matches
            )
        if status == 2:
            raise MemoryError
        if status == 1:
            return None
        order = matches.contradicting, matches.unordered, matches.level, matches.rising
        return table(matches.topics, matches.topic_count, 4), matched_rows(&matches), unjudged_rows(&matches), order
    finally:
        free_work(&work)
        free_matches(&matches)


cdef int grade_lists(
    Index index, const int64_t[::1] bounds, const int32_t[::1] base, const uint8_t* buffer, const int64_t[::1] starts,
    const int32_t[::1] lengths, const double[::1] scores, const double[::1] ranks, int rule, Py_ssize_t shown,
    uint8_t* flags, Work* work, Matches* matches,
) noexcept nogil:
    """0: all graded; 1: something to be looked at by the twin; 2: no memory."""
    cdef Py_ssize_t at, i
    cdef int status
    cdef int32_t judged
    cdef uint64_t topic_mix, key
    cdef bint rising, tied, ranked = ranks.shape[0] > 0
    cdef double score, before
    cdef const uint8_t* text
    cdef Document* here
    cdef Ranks order
    for at in range(base.shape[0]):
        judged = base[at]
        status = begin_topic(index, judged, work)
        if status:
            return status
        topic_mix = scramble(index.topic_hashes[judged]) if judged >= 0 else 0
        rising = tied = False
        before = HUGE_VAL
        order.unknown = True
        for i in range(bounds[at], bounds[at + 1]):
            score = <double><float>scores[i] if rule == FLOAT32 else scores[i]
            if ranked:
                next_rank(&order, ranks[i], score, i == bounds[at])
                order.unknown = order.unknown or not isfinite(ranks[i])
            rising = rising or score > before
            tied = tied or score == before
            before = score
            if lengths[i] > LONGEST_ID:
                return 1
            if work.count == work.room and not more_documents(work):
                return 2
            text = buffer + starts[i]
            key = scramble(hash_id(text, lengths[i]) ^ topic_mix)
            here = &work.documents[work.count]
            here.score, here.text, here.length, here.judgment = score, text, lengths[i], -1
            work.keys[work.count] = key
            if not enter(work, work.count):
                return 1
            work.count += 1
            if judged >= 0:
                here.judgment = find(index, work, key, text, lengths[i])
        if not order.unknown:
            flags[at] = 2 if order.unordered else <uint8_t>order.contradicts
        if not finish_topic(work, matches, buffer, buffer, 0, judged, topic_mix, rising, tied, rule, shown):
            return 2
    return 0


def grade_rows(
    Index index not None, const int64_t[::1] bounds not None, const int32_t[::1] base not None,
    const uint8_t[::1] buffer not None, const int64_t[::1] starts not None, const int32_t[::1] lengths not None,
    const double[::1] scores not None, const double[::1] ranks not None, int rule, Py_ssize_t shown=0,
):
    """The same for rows whose columns are known: list i has the rows from bounds[i] on and the judged topic base[i].

    Judged rows (list, rank, first, last, judgment), unjudged rows (list, rank, key) of the first `shown` ranks, and by
    list what its `ranks`, if there are any, say: 1 they contradict the scores, 2 they need a closer look, 0 neither.
    None: leave it to the twin.
    """
    cdef Work work
    cdef Matches matches
    cdef int status
    cdef Py_ssize_t i, rows = starts.shape[0], room = buffer.shape[0] - 8
    cdef uint8_t[::1] flags
    if lengths.shape[0] != rows or scores.shape[0] != rows or (ranks.shape[0] and ranks.shape[0] != rows):
        raise ValueError("the columns have different lengths")
    if not rows or bounds.shape[0] != base.shape[0] + 1 or bounds[0] != 0 or bounds[base.shape[0]] != rows:
        raise ValueError("the lists do not cover the rows")
    if rule not in (0, FLOAT32, FILE_ORDER):
        raise ValueError("the rule makes no sense")
    for i in range(base.shape[0]):
        if bounds[i] >= bounds[i + 1] or base[i] >= index.topic_hashes.shape[0]:
            raise ValueError("a list is empty, or its topic is not there")
    for i in range(rows):
        if starts[i] < 0 or lengths[i] < 0 or starts[i] > room - lengths[i]:
            raise ValueError("an id lies outside the buffer")
    empty_work(&work)
    empty_matches(&matches)
    ranks_said = np.zeros(base.shape[0], dtype=np.uint8)
    flags = ranks_said
    try:
        with nogil:
            status = grade_lists(
                index, bounds, base, &buffer[0], starts, lengths, scores, ranks, rule, shown, &flags[0], &work, &matches
            )
        if status == 2:
            raise MemoryError
        if status == 1:
            return None
        return matched_rows(&matches), unjudged_rows(&matches), ranks_said
    finally:
        free_work(&work)
        free_matches(&matches)


cdef void copy_far(const uint64_t[::1] addresses, const int64_t[::1] sizes, uint8_t* to) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(sizes.shape[0]):
        memcpy(to, <const void*><size_t>addresses[i], sizes[i])
        to += sizes[i]


def hash_ids(
    const uint8_t[::1] buffer not None, const int64_t[:] starts not None, const int32_t[:] lengths not None
):
    """A 64-bit key for each id, from its length and its first LONGEST_ID bytes."""
    cdef Py_ssize_t i, rows = starts.shape[0], room = buffer.shape[0] - 8
    cdef bint inside = lengths.shape[0] == rows
    keys = np.empty(rows, dtype=np.uint64)
    cdef uint64_t[::1] key = keys
    with nogil:
        for i in range(rows if inside else 0):
            if starts[i] < 0 or lengths[i] < 0 or starts[i] > room - lengths[i]:
                inside = False
                break
            key[i] = hash_id(&buffer[starts[i]], lengths[i])
    if not inside:
        raise ValueError("an id lies outside the buffer")
    return keys


def free_memory():
    """Give memory that is not in use back to the system: glibc keeps what large arrays leave behind for later ones."""
    with nogil:
        give_back()


def hash_rows(
    const uint8_t[::1] buffer not None, const int64_t[:] starts not None, const int32_t[:] lengths not None,
    const uint64_t[::1] topics not None, const int32_t[::1] owner not None,
):
    """The key of each document in its topic, from the keys of both; ids are no longer than LONGEST_ID."""
    cdef Py_ssize_t i, rows = starts.shape[0], room = buffer.shape[0] - 8
    cdef int32_t most = <int32_t>topics.shape[0]
    cdef bint inside = lengths.shape[0] == rows and owner.shape[0] == rows
    keys = np.empty(rows, dtype=np.uint64)
    cdef uint64_t[::1] key = keys
    with nogil:
        for i in range(rows if inside else 0):
            if not 0 <= starts[i] <= room - lengths[i] or not 0 <= lengths[i] <= LONGEST_ID or not -most <= owner[i] < most:
                inside = False
                break
            key[i] = scramble(hash_id(&buffer[starts[i]], lengths[i]) ^ topics[owner[i] if owner[i] >= 0 else owner[i] + most])
    if not inside:
        raise ValueError("an id lies outside the buffer, or in no topic")
    return keys


def pack(
    const uint8_t[::1] buffer not None, const int64_t[:] starts not None, const int32_t[:] lengths not None,
    uint8_t[::1] to not None,
):
    """Copy ids one after the other."""
    cdef Py_ssize_t i, rows = starts.shape[0], at = 0
    cdef bint inside = lengths.shape[0] == rows
    with nogil:
        for i in range(rows if inside else 0):
            if starts[i] < 0 or lengths[i] < 0 or starts[i] > buffer.shape[0] - lengths[i] or at > to.shape[0] - lengths[i]:
                inside = False
                break
            if lengths[i]:
                memcpy(&to[at], &buffer[starts[i]], lengths[i])
            at += lengths[i]
    if not inside:
        raise ValueError("an id lies outside the buffer, or does not fit")


cdef Py_ssize_t scan_columns(
    const uint8_t* base, Py_ssize_t start, Py_ssize_t stop, int width, int document, int value, int other, int origin,
    int64_t* starts, int32_t* lengths, double* values, int64_t* other_starts, int32_t* other_lengths, int64_t* topics,
    Py_ssize_t* changes,
) noexcept nogil:
    """How many lines there are; -1 if something has to be looked at by the twin."""
    cdef const uint8_t* at = base + start
    cdef Py_ssize_t rows = 0
    cdef int columns
    cdef int64_t* topic = topics - 3
    cdef Spaces spaces
    cdef Token[MOST_COLUMNS] tokens
    spaces.here, spaces.end = at, base + stop
    look(&spaces)
    while at < spaces.end:
        columns = next_line(&spaces, &at, tokens)
        if columns == 0 or tokens[0].text[0] == 35:
            continue
        if columns != width or not read_number(tokens[value].text, tokens[value].length, &values[rows]):
            return -1
        if origin >= 0 and tokens[origin].length == 5 and memcmp(tokens[origin].text, b"votes", 5) == 0:
            return -1
        if rows == 0 or not same(&tokens[0], base + topic[0], topic[1]):
            topic += 3
            topic[0], topic[1], topic[2] = tokens[0].text - base, tokens[0].length, rows
            changes[0] += 1
        starts[rows], lengths[rows] = tokens[document].text - base, <int32_t>tokens[document].length
        if other >= 0:
            other_starts[rows], other_lengths[rows] = tokens[other].text - base, <int32_t>tokens[other].length
        rows += 1
    return rows


cdef Py_ssize_t lines_in(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """How many lines there are at most; 1 in an empty text."""
    cdef const uint8_t* end = text + size
    cdef Py_ssize_t lines = 1
    while True:
        text = <const uint8_t*>memchr(text, 10, end - text)
        if text == NULL:
            return lines
        text += 1
        lines += 1


def read_columns(
    const uint8_t[::1] buffer not None, Py_ssize_t start, Py_ssize_t stop, int width, int document, int value,
    int other=-1, int origin=-1,
):
    """Where the topic changes (start, length, row), and line by line document, value and the `other` column.

    None if a line has another width, a value is not a plain decimal or an `origin` is "votes": leave it to the twin.
    """
    cdef Py_ssize_t rows, changes = 0, most
    cdef int64_t[:, ::1] topic
    cdef int64_t[::1] begin, other_begin
    cdef int32_t[::1] size, other_size
    cdef double[::1] number
    if start < 0 or stop < start or stop + 8 > buffer.shape[0]:
        raise ValueError("the text lies outside the buffer")
    if not (0 < document < width <= MOST_COLUMNS and 0 < value < width and other < width and origin < width):
        raise ValueError("the columns make no sense")
    most = lines_in(&buffer[start], stop - start)
    topics = np.empty((most, 3), dtype=np.int64)
    starts, lengths, values = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int32), np.empty(most)
    others = most if other >= 0 else 1
    other_starts, other_lengths = np.empty(others, dtype=np.int64), np.empty(others, dtype=np.int32)
    topic, begin, size, number, other_begin, other_size = topics, starts, lengths, values, other_starts, other_lengths
    with nogil:
        rows = scan_columns(
            &buffer[0], start, stop, width, document, value, other, origin, &begin[0], &size[0], &number[0],
            &other_begin[0], &other_size[0], &topic[0, 0], &changes,
        )
    if rows < 0:
        return None
    del topic, begin, size, number, other_begin, other_size
    topics.resize((changes, 3), refcheck=False)  # gives memory back without a copy
    for column in (starts, lengths, values, other_starts, other_lengths):
        column.resize(min(rows, len(column)), refcheck=False)
    return topics, starts, lengths, values, other_starts, other_lengths


def gather(const uint64_t[::1] addresses not None, const int64_t[::1] sizes not None, uint8_t[::1] to not None):
    """Copy pieces of memory one after the other; whoever calls answers for the addresses."""
    cdef Py_ssize_t i
    cdef int64_t total = 0
    if addresses.shape[0] != sizes.shape[0]:
        raise ValueError("every piece needs an address and a size")
    for i in range(sizes.shape[0]):
        if sizes[i] < 0:
            raise ValueError("a piece has a negative size")
        total += sizes[i]
    if total != to.shape[0]:
        raise ValueError("the pieces do not fill the buffer")
    if total:
        with nogil:
            copy_far(addresses, sizes, &to[0])


cdef void sift(double* heap, int size, double value) noexcept nogil:
    """Replace the least of a heap and put it in order again."""
    cdef int at = 0, child
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = value


def leading(const double[:, ::1] values not None, int reach, bint above):
    """Each row's value at place `reach`, sorted downwards, and the flat places of all that are as high (or `above` it).

    nan is left out; the value is -inf where a row has fewer numbers than `reach`.
    """
    cdef Py_ssize_t rows = values.shape[0], width = values.shape[1]
    cdef Py_ssize_t i, j, count = 0, room = 0
    cdef double[::1] least
    cdef int64_t[::1] places
    cdef int64_t* reached = NULL
    cdef double* heap
    cdef const double* row
    cdef double bar
    cdef bint failed = False
    if reach < 1 or not width:
        raise ValueError("at least one value of each row is wanted")
    bars = np.empty(rows, dtype=np.float64)
    least = bars
    heap = <double*>malloc(reach * sizeof(double))
    if heap == NULL:
        raise MemoryError
    with nogil:
        for i in range(rows):
            for j in range(reach):
                heap[j] = -HUGE_VAL
            row = &values[i, 0]
            bar = -HUGE_VAL
            for j in range(width):
                if row[j] > bar:
                    sift(heap, reach, row[j])
                    bar = heap[0]
            least[i] = bar
            if count + width > room:
                room = 2 * (count + width)
                if not grow(<void**>&reached, room, sizeof(int64_t)):
                    failed = True
                    break
            if above:
                for j in range(width):
                    if row[j] > bar:
                        reached[count] = i * width + j
                        count += 1
            else:
                for j in range(width):
                    if row[j] >= bar:
                        reached[count] = i * width + j
                        count += 1
    free(heap)
    if failed:
        free(reached)
        raise MemoryError
    index = np.empty(count, dtype=np.int64)
    if count:
        places = index
        memcpy(&places[0], reached, count * sizeof(int64_t))
    free(reached)
    return bars, index
