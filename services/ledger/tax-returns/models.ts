/** Models that are filed, each declared once (decision 0347). */
import type { Reader } from '../../../db/database.ts';
import { COUNTS_111, STATABLE_111 } from '../../../domain/ledger/tax-returns/model111.ts';
import { COUNTS_115, STATABLE_115 } from '../../../domain/ledger/tax-returns/model115.ts';
import { COUNTS_123, STATABLE_123 } from '../../../domain/ledger/tax-returns/model123.ts';
import { STATABLE_130 } from '../../../domain/ledger/tax-returns/model130.ts';
import { STATABLE_303 } from '../../../domain/ledger/tax-returns/model303.ts';
import type { Declaration369 } from '../../../domain/ledger/tax-returns/model369.ts';
import { STATABLE_390 } from '../../../domain/ledger/tax-returns/model390-boxes.ts';
import { STATABLE_420 } from '../../../domain/ledger/tax-returns/model420.ts';
import { STATABLE_425 } from '../../../domain/ledger/tax-returns/model425-boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { ANNUAL, MONTHLY, QUARTERLY, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import {
  rectifyingLines,
  SETTLED_303,
  SETTLED_420,
  type SettledForm,
  settlementLines,
  unionSettlementLines,
} from '../../../domain/ledger/tax-returns/settlement.ts';
import { decimal } from '../../../domain/money.ts';
import { firstResult, firstTax } from './activity.ts';
import { compute130 } from './compute-130.ts';
import { compute303 } from './compute-303.ts';
import { compute390 } from './compute-390.ts';
import { compute420, compute425 } from './compute-igic.ts';
import type { ComputedPeriod, FilingOptions } from './credit-returns.ts';
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
import type { ComputedReturn, ModelDefinition, Settlement } from './definition.ts';

const NONE: ReadonlySet<string> = new Set();
const USUAL = {
  counts: NONE,
  accrues: false,
  settlement: null,
  refunds: false,
  personal: false,
  taxSet: null,
  summarizes: null,
} as const;
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
    settlement: settling('Liquidación de IVA', SETTLED_303),
    refunds: true,
    taxSet: 'vat',
    carries: { box: '110', yearly: false, firstActivity: firstTax },
    compute: async (...asked) => carrying(await compute303(...asked)),
  },
  '347': declaring(DECLARATION_347, { periods: [ANNUAL] }),
  '349': declaring(DECLARATION_349, { periods: QUARTERS_OR_MONTHS, taxSet: 'vat' }),
  '369': declaring(DECLARATION_369, {
    periods: QUARTERLY,
    taxSet: 'vat',
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
    taxSet: 'vat',
    summarizes: '303',
    carries: { box: '85', yearly: false, firstActivity: firstTax },
    compute: async (reader, tenantId, { year }, { overrides }) => ({
      ...(await compute390(reader, tenantId, year, overrides)).computed,
      type: 'N',
    }),
  },
  '420': {
    ...USUAL,
    periods: QUARTERLY,
    statable: STATABLE_420,
    accrues: true,
    settlement: settling('Liquidación de IGIC', SETTLED_420),
    refunds: true,
    taxSet: 'igic',
    carries: { box: '43', yearly: false, firstActivity: firstTax },
    compute: async (...asked) => carrying(await compute420(...asked)),
  },
  '425': {
    ...USUAL,
    periods: [ANNUAL],
    statable: STATABLE_425,
    accrues: true,
    taxSet: 'igic',
    summarizes: '420',
    carries: null,
    compute: async (reader, tenantId, { year }, { overrides }) => ({
      ...(await compute425(reader, tenantId, year, overrides)).computed,
      type: 'N',
    }),
  },
};

/** The settlement of a model by its form. */
function settling(title: string, form: SettledForm): Settlement {
  return {
    title,
    lines: ({ totals, boxes }, accounts, entered) =>
      entered === null
        ? settlementLines(form, totals, boxes, accounts)
        : rectifyingLines(form, totals, boxes, accounts, entered),
  };
}

/** A return whose credit later ones compensate. */
function carrying({ computed, totals }: ComputedPeriod) {
  return { ...computed, carry: computed.left, totals };
}

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
