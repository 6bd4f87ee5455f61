/** Models that are filed, each declared once (decision 0347). */
import type { Reader } from '../../../db/database.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import { COUNTS_111, STATABLE_111 } from '../../../domain/ledger/tax-returns/model111.ts';
import { COUNTS_115, STATABLE_115 } from '../../../domain/ledger/tax-returns/model115.ts';
import { COUNTS_123, STATABLE_123 } from '../../../domain/ledger/tax-returns/model123.ts';
import { STATABLE_130 } from '../../../domain/ledger/tax-returns/model130.ts';
import { STATABLE_303 } from '../../../domain/ledger/tax-returns/model303.ts';
import type { Declaration369 } from '../../../domain/ledger/tax-returns/model369.ts';
import { STATABLE_390 } from '../../../domain/ledger/tax-returns/model390-boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { ANNUAL, MONTHLY, QUARTERLY, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import {
  type Entered,
  rectifyingLines,
  type SettlementAccounts,
  settlementLines,
  unionSettlementLines,
} from '../../../domain/ledger/tax-returns/settlement.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { Span } from '../accounting/balances/read.ts';
import { firstResult, firstVat } from './activity.ts';
import { compute130 } from './compute-130.ts';
import { compute303, type FilingOptions } from './compute-303.ts';
import { compute390 } from './compute-390.ts';
import {
  DECLARATION_111,
  DECLARATION_115,
  DECLARATION_123,
  DECLARATION_180,
  DECLARATION_190,
  DECLARATION_193,
  DECLARATION_347,
  DECLARATION_349,
  DECLARATION_369,
} from './declarations.ts';
import { type Declaration, type Details, readDeclared } from './declared.ts';
import type { FiledReturn } from './filed.ts';
import type { AccountTotal } from './taxes.ts';

export interface ComputedReturn {
  readonly boxes: BoxValues;
  readonly type: FiledReturn['type'];
  readonly result: Decimal;
  /** Credit to compensate in later periods. */
  readonly carry: Decimal;
  /** Taxes that the return settles, by account. */
  readonly totals: readonly AccountTotal[];
  readonly details: Details;
}

/** Amounts that returns of a model take from earlier ones, so that they are filed in order and without gaps. */
export interface Carried {
  /** The box by which the first return states what earlier ones, filed elsewhere, carry over to it. */
  readonly box: string;
  /** Whether it begins anew each year. */
  readonly yearly: boolean;
  /** The first month in which the books have something that the model declares; null if there is none. */
  firstActivity(reader: Reader, tenantId: string, days: Span): Promise<string | null>;
}

/** An entry that moves the taxes of a return to what is owed to the agency, or by it. */
export interface Settlement {
  readonly title: string;
  /** @param entered by the earlier returns of the period, if the return rectifies them; else null */
  lines(computed: ComputedReturn, accounts: SettlementAccounts, entered: readonly Entered[] | null): EntryLine[];
}

export interface ModelDefinition {
  /** Periods that it accepts. */
  readonly periods: readonly string[];
  /** Boxes that a person may state, and those of them that contain a number of people. */
  readonly statable: ReadonlySet<string>;
  readonly counts: ReadonlySet<string>;
  /** Whether it declares VAT that accrues, also on the cash basis. */
  readonly accrues: boolean;
  /** The entry by which it settles taxes; null if it has none. */
  readonly settlement: Settlement | null;
  /** Whether it may request a refund. */
  readonly refunds: boolean;
  /** Whether only sole traders file it. */
  readonly personal: boolean;
  /** Whether it is of VAT, which companies that charge IGIC or IPSI have nothing of. */
  readonly vat: boolean;
  /** null if returns are independent of one another. */
  readonly carries: Carried | null;
  compute(
    reader: Reader,
    tenantId: string,
    period: TaxPeriod,
    options: FilingOptions,
  ): Promise<Partial<ComputedReturn> & Pick<ComputedReturn, 'boxes' | 'type' | 'result'>>;
}

const NONE: ReadonlySet<string> = new Set();
const USUAL = { counts: NONE, accrues: false, settlement: null, refunds: false, personal: false, vat: false } as const;
const QUARTERS_OR_MONTHS = [...QUARTERLY, ...MONTHLY];

export const MODELS: Readonly<Record<TaxModel, ModelDefinition>> = {
  '111': declaring(DECLARATION_111, { periods: QUARTERS_OR_MONTHS, statable: STATABLE_111, counts: COUNTS_111 }),
  '115': declaring(DECLARATION_115, { periods: QUARTERS_OR_MONTHS, statable: STATABLE_115, counts: COUNTS_115 }),
  '123': declaring(DECLARATION_123, { periods: QUARTERS_OR_MONTHS, statable: STATABLE_123, counts: COUNTS_123 }),
  '130': {
    ...USUAL,
    periods: QUARTERLY,
    statable: STATABLE_130,
    personal: true,
    carries: { box: '05', yearly: true, firstActivity: firstResult },
    compute: async (reader, tenantId, period, { overrides }) =>
      (await compute130(reader, tenantId, period, overrides)).computed,
  },
  '180': declaring(DECLARATION_180, { periods: [ANNUAL] }),
  '190': declaring(DECLARATION_190, { periods: [ANNUAL] }),
  '193': declaring(DECLARATION_193, { periods: [ANNUAL] }),
  '303': {
    ...USUAL,
    periods: QUARTERS_OR_MONTHS,
    statable: STATABLE_303,
    accrues: true,
    settlement: {
      title: 'Liquidación de IVA',
      lines: ({ totals, boxes }, accounts, entered) =>
        entered === null ? settlementLines(totals, boxes, accounts) : rectifyingLines(totals, boxes, accounts, entered),
    },
    refunds: true,
    vat: true,
    carries: { box: '110', yearly: false, firstActivity: firstVat },
    async compute(reader, tenantId, period, options) {
      const { computed, totals } = await compute303(reader, tenantId, period, options);
      return { ...computed, carry: computed.left, totals };
    },
  },
  '347': declaring(DECLARATION_347, { periods: [ANNUAL] }),
  '349': declaring(DECLARATION_349, { periods: QUARTERS_OR_MONTHS, vat: true }),
  '369': declaring(DECLARATION_369, {
    periods: QUARTERLY,
    vat: true,
    settlement: {
      title: 'Liquidación de IVA de otros Estados (OSS)',
      lines: ({ details, boxes }, accounts) =>
        unionSettlementLines(details.accounts as Declaration369['accounts'], boxes, accounts),
    },
  }),
  '390': {
    ...USUAL,
    periods: [ANNUAL],
    statable: STATABLE_390,
    accrues: true,
    vat: true,
    carries: { box: '85', yearly: false, firstActivity: firstVat },
    compute: async (reader, tenantId, { year }, { overrides }) => ({
      ...(await compute390(reader, tenantId, year, overrides)).computed,
      type: 'N',
    }),
  },
};

/** A model that adds up the books of its period, and nothing else. */
function declaring<Found, D extends Details>(
  declaration: Declaration<Found, D>,
  more: Pick<ModelDefinition, 'periods'> & Partial<ModelDefinition>,
): ModelDefinition {
  return {
    ...USUAL,
    statable: NONE,
    carries: null,
    async compute(reader, _, period, { overrides }) {
      const { boxes, details } = (await readDeclared(reader, declaration, period, overrides)).computed;
      const result = declaration.result === null ? '0' : (boxes[declaration.result] ?? '0');
      return { boxes, details, result, type: decimal(result).gt(0) ? 'I' : 'N' };
    },
    ...more,
  };
}

/** Computes a return as it would be filed now. */
export async function computeReturn(
  reader: Reader,
  tenantId: string,
  { model, ...period }: TaxPeriod & { readonly model: TaxModel },
  options: FilingOptions,
): Promise<ComputedReturn> {
  const {
    boxes,
    type,
    result,
    carry = '0',
    totals = [],
    details = {},
  } = await MODELS[model].compute(reader, tenantId, period, options);
  return { boxes, type, result, carry, totals, details };
}
