// Sessions: what was observed of them, the choices they are read under, and one session laid out query by query.
(function (gc) {
  "use strict";

  const MOST_DEPTH = 1000;
  const MOST_CELLS = 20_000_000;

  /**
   * The part `sessions` of the observed document with ranks, offsets and lookups.
   * @param {object} document - what observed/sessions.py wrote
   */
  gc.observeSessions = function (document) {
    const tables = document.tables.map((table) => ({
      ids: table.ids,
      offsets: summed(table.queries),
      topic: Int32Array.from(table.topic),
    }));
    return { ...document, tables, runs: document.runs.map((run) => observedRun(run, tables[run.table])) };
  };

  function observedRun(run, table) {
    const rows = summed(run.judged);
    const rank = Int32Array.from(run.step);
    for (let query = 0; query < run.judged.length; query++) {
      for (let row = rows[query] + 1; row < rows[query + 1]; row++) rank[row] += rank[row - 1];
    }
    const judged = table.ids.map((_, s) => {
      for (let query = table.offsets[s]; query < table.offsets[s + 1]; query++) if (table.topic[query] >= 0) return true;
      return false;
    });
    return { ...run, table, rows, rank, judgedSession: judged };
  }

  /** 0, then the running sums: where each one's part begins. */
  function summed(counts) {
    const starts = new Int32Array(counts.length + 1);
    counts.forEach((count, i) => { starts[i + 1] = starts[i] + count; });
    return starts;
  }

  /**
   * The choices sessions are read under: their own, with what the reader changed on the page put in.
   *
   * A control of the page that still stands where the page was written leaves the sessions' own choice alone.
   * @param {object} observed - from gc.observeSessions
   * @param {object} now - the page's settings
   * @param {object} written - the settings the page was written with
   * @param {{scale: number[]}} page - the scale that the page's gains belong to
   * @param {{query_discount?: string, bq?: number|string}} own - the panel's own controls
   */
  gc.sessionSettings = function (observed, now, written, page, own = {}) {
    const settings = { ...observed.settings, ...own };
    const followed = [];
    const gains = String(now.gains) === String(written.gains) ? null : gainsOf(observed.scale, now.gains, page.scale);
    if (gains) {
      Object.assign(settings, { gains, gains_text: now.gains_text });
      followed.push("gains");
    }
    if (now.discount !== written.discount) {
      Object.assign(settings, { discount: now.discount, base: now.base });
      followed.push("discount");
    } else if (now.base !== written.base && now.base !== null && settings.base !== null) {
      settings.base = now.base;
      followed.push("base");
    }
    if (now.depth !== written.depth) {
      settings.depth = now.depth;
      followed.push("depth");
    }
    if (now.unjudged !== written.unjudged && !observed.rules.condensed && observed.rules.scan === "top") {
      settings.unjudged = now.unjudged;
      followed.push("unjudged");
    }
    settings.depth = Math.min(settings.depth, gc.sessionDepth(observed));
    return { ...settings, followed };
  };

  /** The greatest depth per query that the page can compute. */
  gc.sessionDepth = function (observed) {
    const queries = observed.runs.reduce((sum, run) => sum + run.retrieved.length, 0);
    return Math.min(observed.reach ?? MOST_DEPTH, MOST_DEPTH, Math.max(observed.settings.depth, Math.floor(MOST_CELLS / queries)));
  };

  /** The page's gains for the grades of the sessions; null if they have a grade that the page has not. */
  function gainsOf(scale, gains, among) {
    const reordered = scale.map((grade) => gains[among.indexOf(grade)]);
    return reordered.includes(undefined) ? null : reordered;
  }

  /**
   * Everything that stays the same from session to session.
   * @param {string} name - of a session measure
   */
  gc.sessionPlan = function (observed, settings, name) {
    const rules = { ...observed.rules, ...gc.facts.sessions[name].rules };
    const condensed = settings.unjudged === "condensed";
    const plan = { rules, condensed, depth: settings.depth, gains: settings.gains };
    plan.longest = Math.max(0, ...observed.runs.map((run) => longest(run, plan)));
    plan.horizon = rules.horizon === "own" ? 0 : rules.horizon === "longest" ? plan.longest : Number(rules.horizon);
    plan.queries = Math.max(1, plan.horizon, plan.longest);
    plan.queryWeight = weights(settings.query_discount, settings.bq, plan.queries);
    const ranks = rules.rank_scope === "query" ? plan.depth : plan.depth * plan.queries;
    plan.rankWeight = weights(settings.discount, settings.base, ranks);
    plan.bases = observed.topics.base.map((counts) => bestFirst(counts, settings.gains));
    return plan;
  };

  function longest(run, plan) {
    let most = 0;
    for (let s = 0; s < run.table.ids.length; s++) most = Math.max(most, keptQueries(run, s, plan).length);
    return most;
  }

  function weights(discount, base, many) {
    return gc.divisors({ discount, base }, many).map((divisor) => 1 / divisor);
  }

  /** The gains of a topic's recall base, highest first. */
  function bestFirst(counts, gains) {
    const sortedGains = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
    let start = 0;
    const order = counts.map((_, g) => g).sort((a, b) => gains[b] - gains[a]);
    for (const g of order) { sortedGains.fill(gains[g], start, start + counts[g]); start += counts[g]; }
    return sortedGains;
  }

  function listLength(run, query, plan) {
    return plan.condensed ? run.rows[query + 1] - run.rows[query] : run.retrieved[query];
  }

  /** The queries of a session that count. */
  function keptQueries(run, s, plan) {
    const queries = [];
    for (let query = run.table.offsets[s]; query < run.table.offsets[s + 1]; query++) {
      if (plan.rules.empty_lists === "count" || listLength(run, query, plan) > 0) queries.push(query);
    }
    return queries;
  }

  /** Whether a session enters its system's means: judged, and not left out because the system lacks it. */
  gc.sessionCounts = (run, s, rules) => run.judgedSession[s] && (Boolean(run.present[s]) || rules.missing !== "skip");

  /**
   * One session, a row for each query that counts and behind them those the horizon adds: what was gained at each
   * rank (`gain`), how far the list counts (`width`), how long it is (`listed`), and its own DCG by rank (`own`).
   */
  gc.sessionRows = function (run, s, plan) {
    const queries = keptQueries(run, s, plan);
    const seen = plan.rules.repeats === "first" ? new Set() : null;
    const rows = [];
    let before = 0;
    for (let q = 0; q < Math.max(queries.length, plan.horizon); q++) {
      const row = q < queries.length ? issuedRow(run, queries[q], plan, seen) : addedRow(run, queries, plan);
      row.before = plan.rules.rank_scope === "query" ? 0 : before;
      before += row.width;
      row.own = discounted(row.gain, row, plan);
      rows.push(row);
    }
    return { rows, queries: queries.length };
  };

  function issuedRow(run, query, plan, seen) {
    const read = run.read === undefined || run.read[query] < 0 ? plan.depth : Math.min(run.read[query], plan.depth);
    const listed = Math.min(listLength(run, query, plan), read);
    const pad = plan.rules.pad;
    const least = pad === "none" ? 0 : pad === "x" ? read : Number(pad.slice(4));
    const gain = new Float64Array(plan.depth);
    const here = new Set();
    for (let row = run.rows[query], nth = 1; row < run.rows[query + 1]; row++, nth++) {
      const rank = plan.condensed ? nth : run.rank[row];
      if (rank > read) break;
      if (run.document !== undefined) {  // only where the same document may come again: in the list, or in the session
        if (here.has(run.document[row]) || seen?.has(run.document[row])) continue;
        here.add(run.document[row]);
        seen?.add(run.document[row]);
      }
      gain[rank - 1] = plan.gains[run.grade[row]];
    }
    return { issued: true, topic: run.table.topic[query], gain, listed, width: Math.max(listed, Math.min(least, read)) };
  }

  /** A query that only the ideal session has: on the topic of the session's last one. */
  function addedRow(run, queries, plan) {
    const topic = queries.length ? run.table.topic[queries[queries.length - 1]] : -1;
    return { issued: false, topic, gain: new Float64Array(plan.depth), listed: 0, width: plan.depth };
  }

  /** DCG by rank of one query, before the query discount. */
  function discounted(gain, row, plan) {
    const sums = new Float64Array(plan.depth);
    let sum = 0;
    for (let r = 0; r < plan.depth; r++) {
      sum += r < row.width ? gain[r] * plan.rankWeight[row.before + r] : 0;
      sums[r] = sum;
    }
    return sums;
  }

  /** DCG by rank of each query's own ideal list. */
  gc.bestLists = function (rows, plan) {
    return rows.map((row) => discounted(listFrom(row, 0, plan), row, plan));
  };

  /** DCG by rank of each query of the ideal session, as the rule says. */
  gc.idealLists = function (rows, plan) {
    if (plan.rules.ideal === "bound") return boundLists(rows, plan);
    if (plan.rules.ideal === "repeat") return gc.bestLists(rows, plan);
    const taken = new Map();
    return rows.map((row) => {
      const start = taken.get(row.topic) ?? 0;
      taken.set(row.topic, start + row.width);
      return discounted(listFrom(row, start, plan), row, plan);
    });
  };

  function listFrom(row, start, plan) {
    const gain = new Float64Array(plan.depth);
    if (row.topic >= 0) gain.set(plan.bases[row.topic].subarray(start, start + row.width));
    return gain;
  }

  /** The best documents of each topic on the places of its queries that count most. */
  function boundLists(rows, plan) {
    const places = new Map();
    rows.forEach((row, q) => {
      if (!places.has(row.topic)) places.set(row.topic, []);
      for (let r = 0; r < row.width; r++) {
        places.get(row.topic).push({ q, r, weight: plan.queryWeight[q] * plan.rankWeight[row.before + r] });
      }
    });
    const gains = rows.map(() => new Float64Array(plan.depth));
    for (const [topic, cells] of places) {
      if (topic < 0) continue;
      cells.sort((a, b) => b.weight - a.weight); // stable: earlier places first
      const base = plan.bases[topic];
      cells.slice(0, base.length).forEach(({ q, r }, i) => { gains[q][r] = base[i]; });
    }
    return rows.map((row, q) => discounted(gains[q], row, plan));
  }

  /** S[(q−1)X + r]: what earlier queries gave in full and this one up to rank r, each discounted by its place. */
  gc.cumulatedRows = function (lists, plan) {
    const cumulated = new Float64Array(lists.length * plan.depth);
    let before = 0;
    lists.forEach((own, q) => {
      const weight = plan.queryWeight[q];
      for (let r = 0; r < plan.depth; r++) cumulated[q * plan.depth + r] = before + weight * own[r];
      before += weight * own[plan.depth - 1];
    });
    return cumulated;
  };
})((globalThis.gaincurve ??= {}));
