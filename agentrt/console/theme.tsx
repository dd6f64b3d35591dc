import { useEffect, useState } from "preact/hooks";

const key = "agentrt-console-theme";
const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const labels: { readonly [theme in Theme]: string } = {
  auto: "◐ Auto",
  light: "☀ Light",
  dark: "☾ Dark",
};

/** Light, dark, or as the system is. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(readTheme());
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // A browser that keeps nothing has the theme until the page is closed.
    }
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <button onClick={() => setTheme(next)} aria-label={`Theme: ${theme}. Change to ${next}`}>
      {labels[theme]}
    </button>
  );
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return themes.find((each) => each === kept) ?? "auto";
  } catch {
    return "auto";
  }
}
