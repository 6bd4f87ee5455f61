/** Requirements of accounts for the lines entered on them, and which projects and cost centers take no more (decision 0342). */
import type { Faults } from '../../../domain/faults.ts';
import {
  DIMENSIONS,
  type Dimensions,
  lackingDimensions,
  type Requirement,
} from '../../../domain/ledger/accounting/dimensions.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';

interface RequiringAccount {
  readonly id: string;
  readonly code: string;
  readonly requires: Requirement;
}

/** A closed project or an inactive cost center. */
export interface ClosedDimension {
  readonly id: string;
  readonly code: string;
}

/** Data that the rules are about. */
interface Facts {
  readonly accounts: readonly RequiringAccount[];
  readonly closed: readonly ClosedDimension[];
  /** The company's own, for what the service enters by itself. */
  readonly defaults: Dimensions;
}

/** The rules for an entry; faults are collected so that all are reported together. */
export class DimensionRules {
  readonly #requiring: ReadonlyMap<string, RequiringAccount>;
  readonly #closed: ReadonlyMap<string, string>;
  readonly #defaults: Dimensions;
  readonly #faults: Faults;

  constructor({ accounts, closed, defaults }: Facts, faults: Faults) {
    this.#requiring = new Map(accounts.filter(({ requires }) => requires !== 'none').map((one) => [one.id, one]));
    this.#closed = new Map(closed.map(({ id, code }) => [id, code]));
    this.#defaults = defaults;
    this.#faults = faults;
  }

  /** Checks the dimensions of a line that a person made. @param pointer to the line */
  check(accountId: string, given: Dimensions, pointer: string): void {
    for (const member of DIMENSIONS) {
      const code = this.#closed.get(given[member] ?? '');
      if (code !== undefined) addClosed(this.#faults, member, code, `${pointer}/${member}`);
    }
    const account = this.#requiring.get(accountId);
    if (account !== undefined) checkRequired(account, given, pointer, this.#faults);
  }

  /**
   * Completes lines that the service makes by itself: where an account requires a dimension that nothing names, they take the company's.
   * Records a fault if there is none.
   */
  assign(lines: readonly EntryLine[]): EntryLine[] {
    return this.#requiring.size === 0 ? [...lines] : lines.map((line) => this.#assigned(line));
  }

  #assigned(line: EntryLine): EntryLine {
    const account = this.#requiring.get(line.accountId);
    if (account === undefined) return line;
    const lacking = lackingDimensions(account.requires, line);
    for (const member of lacking) if (this.#defaults[member] === null) this.#refuse(account, member);
    return { ...line, ...Object.fromEntries(lacking.map((member) => [member, this.#defaults[member]])) };
  }

  #refuse({ code }: RequiringAccount, member: keyof Dimensions): void {
    const [fault, message] = UNASSIGNED[member](code);
    if (!this.#faults.list.some((known) => known.message === message)) this.#faults.add('', fault, message);
  }
}

/** Checks that a line names what its account requires. @param pointer to the line */
export function checkRequired(
  { code, requires }: Omit<RequiringAccount, 'id'>,
  given: Dimensions,
  pointer: string,
  faults: Faults,
): void {
  for (const member of lackingDimensions(requires, given)) {
    const [fault, message] = REQUIRED[member](code);
    faults.add(`${pointer}/${member}`, fault, message);
  }
}

/** Refuses a closed project or an inactive cost center. @param pointer to the member that names it */
export function addClosed(faults: Faults, member: keyof Dimensions, code: string, pointer: string): void {
  const [fault, message] = CLOSED[member](code);
  faults.add(pointer, fault, message);
}

type Fault = readonly [code: string, message: string];
type Messages = Readonly<Record<keyof Dimensions, (code: string) => Fault>>;

const REQUIRED: Messages = {
  costCenterId: (code) => ['cost_center_required', `is required because account ${code} requires a cost center`],
  projectId: (code) => ['project_required', `is required because account ${code} requires a project`],
};

const UNASSIGNED: Messages = {
  costCenterId: (code) => [
    'cost_center_required',
    `account ${code} requires a cost center: set defaultCostCenterId in /api/config/accounting`,
  ],
  projectId: (code) => [
    'project_required',
    `account ${code} requires a project: set defaultProjectId in /api/config/accounting`,
  ],
};

const CLOSED: Messages = {
  costCenterId: (code) => [
    'inactive_cost_center',
    `refers to cost center ${code}, which is inactive: name another, or make it active again`,
  ],
  projectId: (code) => [
    'closed_project',
    `refers to project ${code}, which is closed: name another, or make it active again`,
  ],
};
