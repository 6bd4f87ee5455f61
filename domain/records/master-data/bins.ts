/** The codes of a warehouse's bins: aisles have racks, racks have levels, levels have positions. */

export interface BinCounts {
  readonly aisles: number;
  readonly racks: number;
  readonly levels: number;
  readonly positions: number;
}

/** Placeholders of a pattern, outermost first. */
const PLACEHOLDERS = ['aisle', 'rack', 'level', 'position'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export const DEFAULT_BIN_PATTERN = '{aisle}-{rack}-{level}-{position}';

export function countBins({ aisles, racks, levels, positions }: BinCounts): number {
  return aisles * racks * levels * positions;
}

/** Finds an unknown placeholder, or a stray brace, in a pattern; undefined if there is none. */
export function unknownPlaceholder(pattern: string): string | undefined {
  const known = new Set<string>(PLACEHOLDERS.map((name) => `{${name}}`));
  return pattern.match(/\{[^{}]*\}|[{}]/g)?.find((part) => !known.has(part));
}

/**
 * Yields the codes of all bins, in order: aisles are A … Z, AA …, the others numbers of at least two digits. They are distinct only if the
 * pattern distinguishes the bins.
 */
export function* binCodes(counts: BinCounts, pattern: string): Generator<string> {
  for (let aisle = 1; aisle <= counts.aisles; aisle += 1) {
    for (let rack = 1; rack <= counts.racks; rack += 1) {
      for (let level = 1; level <= counts.levels; level += 1) {
        for (let position = 1; position <= counts.positions; position += 1) {
          yield filled(pattern, {
            aisle: letters(aisle),
            rack: digits(rack),
            level: digits(level),
            position: digits(position),
          });
        }
      }
    }
  }
}

function filled(pattern: string, values: Readonly<Record<Placeholder, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: Placeholder) => values[name]);
}

/** 1 is A, 26 is Z, 27 is AA. */
function letters(number: number): string {
  const rest = (number - 1) % 26;
  const before = (number - 1 - rest) / 26;
  return (before > 0 ? letters(before) : '') + String.fromCharCode(65 + rest);
}

function digits(number: number): string {
  return String(number).padStart(2, '0');
}
