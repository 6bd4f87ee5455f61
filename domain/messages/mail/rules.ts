/** Rules for each kind of mail: how many go out, and in whose name. A new kind does not compile without its row. */
import { MAIL_KINDS, type MailKind } from './kinds.ts';

/** Kinds that are counted together. */
export type Budget = 'correspondence' | 'recurring' | 'summaries' | 'payslips' | 'invitations' | 'passwords';

export interface MailRule {
  readonly budget: Budget;
  /**
   * Whether mails beyond the company's limit (MAIL_RECIPIENTS_PER_HOUR, for each budget) are refused with their request, or wait for their
   * turn.
   */
  readonly beyond: 'refused' | 'waits';
  /** Whether a mail that waits for its turn gains the time, because nobody would send another. */
  readonly gainsTime: boolean;
  /**
   * Maximum mails of the budget to one address within a day, from all companies together; one company has half of them. More wait.
   * `setting`: MAIL_PER_ADDRESS_PER_DAY.
   */
  readonly perAddress: number | 'setting';
  /**
   * Whose name and address for replies the mail shows. Mails to people who may never have heard of the company show the service's: the
   * company's name is a stranger's text.
   */
  readonly sender: 'company' | 'service';
  /** Whether it has a link to unsubscribe (RFC 8058): what comes regularly, unasked for. */
  readonly unsubscribes: boolean;
}

const CORRESPONDENCE = {
  budget: 'correspondence',
  beyond: 'refused',
  gainsTime: false,
  perAddress: 'setting',
  sender: 'company',
  unsubscribes: false,
} as const;

export const MAIL_RULES = {
  document: CORRESPONDENCE,
  // Thousands may be made in one night, and nobody would send those again that were refused.
  recurring: { ...CORRESPONDENCE, budget: 'recurring', beyond: 'waits', gainsTime: true },
  report: CORRESPONDENCE,
  automation: CORRESPONDENCE,
  approval: CORRESPONDENCE,
  summary: {
    ...{ budget: 'summaries', beyond: 'waits', gainsTime: false, perAddress: 20 },
    ...{ sender: 'company', unsubscribes: true },
  },
  // A person gets one a month; a year's, or those of a family, may come together.
  payslip: {
    ...{ budget: 'payslips', beyond: 'waits', gainsTime: true, perAddress: 24 },
    ...{ sender: 'company', unsubscribes: false },
  },
  invitation: {
    ...{ budget: 'invitations', beyond: 'waits', gainsTime: false, perAddress: 20 },
    ...{ sender: 'service', unsubscribes: false },
  },
  // Requests are limited before (services/access/sessions/login-limits.ts): a stranger cannot use up the owner's.
  password_reset: {
    ...{ budget: 'passwords', beyond: 'waits', gainsTime: false, perAddress: 240 },
    ...{ sender: 'service', unsubscribes: false },
  },
} as const satisfies Readonly<Record<MailKind, MailRule>>;

/** Kinds whose requests are refused beyond the limit. */
export type RefusedKind = {
  [Kind in MailKind]: (typeof MAIL_RULES)[Kind]['beyond'] extends 'refused' ? Kind : never;
}[MailKind];
/** Kinds that wait for their turn. */
export type PacedKind = Exclude<MailKind, RefusedKind>;

/** Mails to addresses whose owners have proved that they are theirs may be so many times as many. */
export const VERIFIED_FACTOR = 10;

export function mailRule(kind: MailKind): MailRule {
  return MAIL_RULES[kind];
}

/** The kinds that are counted together. */
export function kindsIn(budget: Budget): MailKind[] {
  return MAIL_KINDS.filter((kind) => MAIL_RULES[kind].budget === budget);
}
