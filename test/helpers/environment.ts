/** What processes started by tests have of the environment: where programs are, and the clock (shifted-date.mjs). */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_OPTIONS', 'DATE_SHIFT_MS'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
