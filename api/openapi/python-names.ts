/** Names as Python has them, for the client and for examples of its use. */

/** Words that Python and pydantic have taken. */
const TAKEN = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in ' +
    'is lambda nonlocal not or pass raise return try while with yield None True False copy dict json schema ' +
    'validate construct register'
  ).split(' '),
);

/** partnerGroups → partner_groups. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** A name that Python takes: `from_` for `from`, `n30_days` for `30_days`. */
export function pythonName(name: string): string {
  return TAKEN.has(name) ? `${name}_` : name.replace(/^(?=\d)/, 'n');
}
