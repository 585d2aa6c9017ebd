// How light the page and its words are, and how well the words of charts stand out: WCAG's relative luminance.
() => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  const channels = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };

  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);

  const light = (colour) => {
    const [red, green, blue] = channels(colour).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  const contrast = (a, b) => {
    const [more, less] = [light(a), light(b)].sort((x, y) => y - x);
    return (more + 0.05) / (less + 0.05);
  };

  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (channels(colour)[3] > 250) return colour;
    }
    return "white";
  };

  const kinds = ["axis-label", "axis-title", "title", "legend-label", "legend-title"];
  const words = kinds.map((kind) => `.plot svg .role-${kind} text`).join(", ");
  const seen = (text) => text.textContent.trim() && getComputedStyle(text).opacity > 0 && !text.closest('[opacity="0"]');
  const charts = [...document.querySelectorAll(words)].filter(seen).map((text) => ({
    chart: text.closest("figure").dataset.chart,
    words: text.textContent,
    ratio: contrast(getComputedStyle(text).fill, ground(text.closest(".plot"))),
  }));
  const ink = getComputedStyle(document.getElementById("verdict")).color;
  return { paper: light(ground(document.body)), ink: light(ink), charts };
}
