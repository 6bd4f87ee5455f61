/**
 * Rules of a message: its elements, their order, number and texts. They find anything a bank would refuse before it
 * gets the file.
 */
import type { Node } from '../../xml.ts';

export interface Rule {
  readonly name: string;
  /** Minimum occurrences; exactly one if missing. */
  readonly min?: number;
  readonly max?: number;
  readonly attributes?: Readonly<Record<string, RegExp>>;
  readonly holds: RegExp | readonly Rule[];
}

export interface MessageFault {
  /** Names and positions from the root, e.g. `Document/CstmrCdtTrfInitn/PmtInf[1]/Dbtr/Nm`. */
  readonly path: string;
  readonly message: string;
}

export const TEXT = {
  id: /^(?!\/)(?!.*\/\/)(?!.*\/$)[a-zA-Z0-9/\-?:().,'+ ]{1,35}$/,
  name: /^(?!\/)(?!.*\/\/)(?!.*\/$)[a-zA-Z0-9/\-?:().,'+ ]{1,70}$/,
  remittance: /^(?!\/)(?!.*\/\/)(?!.*\/$)[a-zA-Z0-9/\-?:().,'+ ]{1,140}$/,
  iban: /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
  bic: /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/,
  amount: /^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/,
  sum: /^\d{1,16}(\.\d{1,2})?$/,
  count: /^[1-9]\d{0,14}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
  creditor: /^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/,
} as const;

/** Builds a rule for one element. */
export function elementRule(name: string, holds: Rule['holds'], options: Omit<Rule, 'name' | 'holds'> = {}): Rule {
  return { name, holds, ...options };
}

/** Builds nested rules, as `path` nests elements. */
export function nestedRules(names: string, holds: Rule['holds'], options: Omit<Rule, 'name' | 'holds'> = {}): Rule {
  const [name = '', ...rest] = names.split('/');
  return elementRule(name, rest.length === 0 ? holds : [nestedRules(rest.join('/'), holds)], options);
}

/** Lists the places where a message breaks the rules. */
export function findFaults(node: Node, rule: Rule, at = ''): MessageFault[] {
  const path = `${at}${at === '' ? '' : '/'}${node.name}`;
  const faults: MessageFault[] = [];
  const fault = (message: string, where = path) => faults.push({ path: where, message });
  for (const [name, form] of Object.entries(rule.attributes ?? {})) {
    if (!form.test(node.attributes?.[name] ?? '')) fault(`has no valid ${name}`);
  }
  const { content } = node;
  const { holds } = rule;
  if (holds instanceof RegExp) {
    if (typeof content !== 'string' || !holds.test(content)) fault('does not have the required form');
    return faults;
  }
  if (typeof content === 'string') return [...faults, { path, message: 'must contain elements' }];
  let next = 0;
  for (const child of holds) {
    const { min = 1, max = 1 } = child;
    let seen = 0;
    for (; content[next]?.name === child.name; next++) {
      seen++;
      const place = max > 1 ? `[${seen}]` : '';
      for (const found of findFaults(content[next] as Node, child, path)) {
        const tail = found.path.slice(path.length + 1 + child.name.length);
        faults.push({ ...found, path: `${path}/${child.name}${place}${tail}` });
      }
    }
    if (seen < min) fault('is missing', `${path}/${child.name}`);
    if (seen > max) fault(`occurs ${seen} times`, `${path}/${child.name}`);
  }
  if (next < content.length) fault('is not allowed here', `${path}/${content[next]?.name}`);
  return faults;
}
