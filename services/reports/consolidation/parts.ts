/** Shared parts of consolidated reports: their columns, headings and warnings. */
import { Type } from 'typebox';
import { formatsFor } from '../../../domain/locale/formats.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { FilledHeading } from '../../../domain/reports/accounting/headings.ts';
import type { OwnAccount } from '../../../domain/reports/consolidation/companies.ts';
import { OWN_ACCOUNTS } from '../../../domain/reports/consolidation/own-accounts.ts';
import type { Difference } from '../../../domain/reports/consolidation/partners.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { amount, day, exchangeRate, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { withChildren } from '../accounting/annual-accounts.ts';
import { columnTitles } from '../accounting/columns.ts';
import { percent, type ReportRequest, type ReportWarning } from '../engine/declaration.ts';
import { sectionTable } from '../engine/sections.ts';
import type { Group } from './read-group.ts';

/** The line below the result. */
export const OF_PARENT: { readonly code: string; readonly name: Texts } = {
  code: 'parent_result',
  name: { en: 'Result attributed to the parent company', es: 'Resultado atribuido a la sociedad dominante' },
};

/** The only parameter of reports of a day. */
export const ON_DAY = { to: Type.Optional(day()) };

/** Words of the service that only these reports have. */
export const ELIMINATIONS: Texts = { en: 'Eliminations', es: 'Eliminaciones' };
export const CONSOLIDATED: Texts = { en: 'Consolidated', es: 'Consolidado' };

export const GROUP_COLUMNS = Type.Array(
  Type.Object({
    name: text(),
    company_id: nullable(uuid({ description: 'null for the eliminations' })),
    ownership_percent: nullable(percent({ places: 4 })),
    currency: nullable(text({ description: 'Of its books; null for the eliminations' })),
    closing_rate: nullable(
      exchangeRate({
        description: "What one unit of the parent's currency is worth in it on the last day; null in the same currency",
      }),
    ),
    closing_rate_on: nullable(day({ description: 'The day of that rate, which may be an earlier one' })),
  }),
  { description: 'The parent, the other companies, and last the eliminations' },
);

export const GROUP_AMOUNTS = Type.Array(amount(), {
  description: 'One for each of `columns`; they add up to `amount`',
});

/** A path cannot name another company: whoever follows it sends the header. */
export const DRILLDOWNS = Type.Array(nullable(text({ max: 500 })), {
  description:
    'One for each of `columns`: where the amount comes from in the books of that company, to be asked for with its `company_id` as ' +
    'x-tenant-id; the ledger of its account, or with several the trial balance with them. Goodwill, reserves, ' +
    'translation differences and minorities lead to the terms of the group in the column of the eliminations; null for other ones, and ' +
    'without account',
});

const columns = {
  code: text({ description: 'The heading of the annual accounts, or a word for lines that only consolidation has' }),
  name: text({ max: 500 }),
  amount: amount({ description: 'Consolidated' }),
  amounts: GROUP_AMOUNTS,
};

/** A heading in an answer. */
export interface GroupHeading {
  readonly code: string;
  readonly name: string;
  readonly amount: number;
  readonly amounts: readonly number[];
  readonly accounts: readonly (Omit<GroupHeading, 'accounts' | 'children'> & {
    readonly drilldowns: readonly (string | null)[];
  })[];
  readonly children: readonly GroupHeading[];
}

/** Nested headings, at most five levels. */
export const GROUP_HEADINGS = Type.Unsafe<GroupHeading[]>(
  Type.Array(
    withChildren(
      {
        ...columns,
        accounts: Type.Array(Type.Object({ ...columns, drilldowns: DRILLDOWNS }), {
          description: 'Accounts of the parent',
        }),
      },
      4,
    ),
  ),
);

type Rounding = Pick<ReportRequest, 'money'>['money'];

/** The things that headings need besides themselves. */
interface Shown extends Pick<ReportRequest, 'money' | 'range'> {
  readonly group: Group;
}

export function groupHeadingToJson(heading: FilledHeading, shown: Shown): GroupHeading {
  const { money, range, group } = shown;
  return {
    ...named(heading, money),
    accounts: heading.accounts.map((account) => ({
      ...named(account, money),
      drilldowns: drilldowns(account.code, group, range),
    })),
    children: heading.children.map((child) => groupHeadingToJson(child, shown)),
  };
}

/** Where the amounts of an account come from, see DRILLDOWNS. @param code of the parent's account */
export function drilldowns(
  code: string,
  { companies }: Group,
  { from, to }: ReportRequest['range'],
): (string | null)[] {
  const paths = companies.map(({ sources }) => {
    const [first, ...more] = sources.get(code) ?? [];
    if (first === undefined) return null;
    if (more.length === 0) return `/api/reports/ledger?account_id=${first.id}&from=${from}&to=${to}`;
    const beginning = commonBeginning(first.code, more);
    const limit = beginning === '' ? '' : `accounts=${encodeURIComponent(beginning)}&`;
    return `/api/reports/trial-balance?${limit}from=${from}&to=${to}`;
  });
  return [...paths, BY_TERMS.has(code) ? TERMS : null];
}

/** The shares, prices and equity by which the lines of investments are computed. */
const TERMS = '/api/group-companies';
const { goodwill, reserves, translation, minorities, minorityResult } = OWN_ACCOUNTS;
const BY_TERMS = new Set([goodwill, reserves, translation, minorities, minorityResult].map(({ code }) => code));

function commonBeginning(first: string, others: readonly OwnAccount[]): string {
  const length = Array.from(first).findIndex((digit, index) => others.some(({ code }) => code[index] !== digit));
  return length < 0 ? first : first.slice(0, length);
}

const WORDS_AS_CODES: ReadonlySet<string> = new Set(
  [...Object.values(OWN_ACCOUNTS), OF_PARENT].map(({ code }) => code),
);

/** A row for a file: words in the place of codes are for programs, and are not shown there. */
export function withoutWord<Row extends { readonly code: string }>(row: Row): Row {
  return WORDS_AS_CODES.has(row.code) ? { ...row, code: '' } : row;
}

/** The same for headings with all below them. */
function withoutWords(headings: readonly GroupHeading[]): GroupHeading[] {
  return headings.map((heading) => ({ ...withoutWord(heading), children: withoutWords(heading.children) }));
}

function named(
  { code, name, amounts }: { readonly code: string; readonly name: string; readonly amounts: readonly Decimal[] },
  money: Rounding,
) {
  return { code, name, ...groupAmounts(amounts, money) };
}

/** The amounts of the columns, and their sum, which is the last one. */
export function groupAmounts(amounts: readonly Decimal[], money: Rounding): { amount: number; amounts: number[] } {
  return { amount: money(amounts.at(-1) ?? '0'), amounts: amounts.slice(0, -1).map(money) };
}

const WITHOUT_BOOKS = { currency: null, closing_rate: null, closing_rate_on: null };

/** The columns in an answer. */
export function groupColumns({ companies }: Group, language: ReportRequest['language']) {
  return [
    ...companies.map(({ companyId, name, ownershipPercent, currency, rates }) => ({
      name,
      company_id: companyId,
      ownership_percent: Number(ownershipPercent),
      currency,
      closing_rate: rates === null ? null : Number(rates.closing),
      closing_rate_on: rates?.closingOn ?? null,
    })),
    { name: ELIMINATIONS[language], company_id: null, ownership_percent: null, ...WITHOUT_BOOKS },
  ];
}

/** The file of a statement: its headings with a column for each company. */
export function groupFile({
  sections,
  columns: shown,
}: {
  readonly sections: readonly GroupHeading[];
  readonly columns: readonly { readonly name: string }[];
}) {
  return {
    tables: [
      sectionTable({
        sections: withoutWords(sections),
        titles: { amount: CONSOLIDATED },
        amounts: columnTitles(shown),
      }),
    ],
  };
}

/** Warns of what the books of two companies say otherwise of each other, and of investments that are not set off. */
export function groupWarnings(
  { companies, withoutInvestment }: Group,
  differences: readonly Difference[],
  { settings, language }: Pick<ReportRequest, 'settings' | 'language'>,
): ReportWarning[] {
  const { money } = formatsFor(settings.format, null);
  const unequal = differences.map(({ companies: [one, other], amount: value }) => {
    const names = [companies[one]?.name ?? '', companies[other]?.name ?? ''] as const;
    const amount = money(value, settings.company.currency);
    const message = {
      en: `The books of ${names[0]} and ${names[1]} differ by ${amount} in what they have about each other.`,
      es: `Los libros de ${names[0]} y ${names[1]} difieren en ${amount} en lo que tienen la una de la otra.`,
    };
    return { code: 'group_difference', message: message[language] };
  });
  const invested = withoutInvestment.map((name) => {
    const message = {
      en: `No account of the investment in ${name} is named (investmentAccountId): it is not set off against its equity.`,
      es: `No se ha indicado la cuenta de la participación en ${name} (investmentAccountId): no se elimina contra su patrimonio.`,
    };
    return { code: 'investment_not_eliminated', message: message[language] };
  });
  return [...unequal, ...invested];
}
