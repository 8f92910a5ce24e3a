// Light or dark: as the system has it, until the reader says otherwise.

const themes = ["system", "light", "dark"];

/** Makes the button go through the themes, and remembers the choice where that is allowed. */
function startTheme(button) {
  const remembered = storage((it) => it.getItem("hirace-theme"));
  let theme = themes.includes(remembered) ? remembered : "system";
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" }[theme];
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    storage((it) => it.setItem("hirace-theme", theme));
    show();
  });
  show();
}

/** Files opened from a disk may have no storage, and that is no error. */
function storage(use) {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
