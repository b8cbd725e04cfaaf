// Sets the stored theme, or the one that the system prefers.
{
  let stored = null;
  try {
    stored = localStorage.getItem("extscope.theme");
  } catch {
    // Storage may be forbidden; the system's preference is then all there is.
  }
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme =
    stored === "dark" || stored === "light" ? stored : light ? "light" : "dark";
}

// Paper is light, whatever the screen is.
{
  const { dataset } = document.documentElement;
  let screen = dataset.theme;
  addEventListener("beforeprint", () => {
    screen = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    dataset.theme = screen;
  });
}
