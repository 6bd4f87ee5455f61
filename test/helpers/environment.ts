/** Returns the environment variables that processes started by tests inherit: program paths, and the clock (shifted-date.mjs). */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_OPTIONS', 'DATE_SHIFT_MS'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
