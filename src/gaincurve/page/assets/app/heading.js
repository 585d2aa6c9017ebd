/** The heading, the title of the window and the scenario in words: they follow the controls. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /** The heading under settings that were changed; a title of the writer's own stays, with the measure as it is now. */
  app.headingText = function (page, first, analysis) {
    const { measure, observed } = analysis;
    if (measure === first.analysis.measure) return page.title;
    return page.titled ? `${page.title} (now ${measure})` : gc.say("heading", { measure, runs: gc.joined(observed.labels) });
  };

  /** The user that settings describe, choice by choice. */
  function userWords(settings) {
    const rest = settings.unjudged === "zero" ? "" : `, unjudged ${settings.unjudged}`;
    const { gains_text: gains, depth } = settings;
    return `gains ${gains}, discount ${gc.discountText(settings)}, cutoff ${depth}${rest}`;
  }

  /** The scenario that the controls describe: the one written, another by its name, or what became of the one written. */
  app.scenarioText = function (page, first, settings, written) {
    const changes = userWords(settings);
    if (changes === userWords(first.settings)) return written;
    const named = page.scenarios.find((scenario) => app.state.isScenario(scenario, settings));
    if (named) return gc.say(named.about ? "scenario about" : "scenario", named);
    return gc.say("scenario changed", { name: first.settings.scenario, changes });
  };

  /** @returns {() => void} brings them up to date; as written they are letter by letter what Python wrote */
  app.heading = function (state) {
    const { byId, visible } = app.dom;
    const { page, first } = state;
    const [heading, scenario] = [byId("heading"), byId("scenario")];
    const written = { title: document.title, heading: heading.textContent, scenario: scenario.textContent };
    return () => {
      const { analysis, settings } = state;
      const title = app.headingText(page, first, analysis);
      const own = title === page.title;
      heading.textContent = own ? written.heading : visible(title);
      document.title = own ? written.title : visible(title);
      scenario.textContent = visible(app.scenarioText(page, first, settings, written.scenario));
    };
  };
})((globalThis.gaincurve ??= {}));
