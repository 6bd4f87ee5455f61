import { BankRule } from '../../../db/models/bank/statements.ts';
import { amount, choice, flag, integer, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { checkRule, MAX_POSITION, nextPosition } from './prepare-bank-rule.ts';

const bound = (which: string) =>
  amount({ minimum: 0, description: `The ${which} amount, without its sign, itself included` });

/** Rules for lines of bank statements (decision 0159). */
export const bankRules = declareResource({
  name: 'BankRule',
  plural: 'BankRules',
  path: '/api/bank-rules',
  tag: 'Bank statements',
  model: BankRule,
  defaultSort: 'position',
  fields: {
    name: { schema: label(), required: true, searchable: true },
    position: {
      schema: integer({
        minimum: 1,
        maximum: MAX_POSITION,
        description: 'Rules are tried in this order, and the first that fits counts; new ones come last',
      }),
      filled: true,
    },
    active: { schema: flag(), default: true },
    accept: {
      schema: flag({ description: 'Accepts lines when they are imported; otherwise the rule only suggests' }),
      default: false,
    },
    bank_account_id: {
      schema: uuid({ description: 'Only lines of this bank account' }),
      reference: { table: 'bank_accounts' },
    },
    text: {
      schema: label({
        description:
          "Begins a word of the line's text, reference or counterparty: COMISION fits Comisiones; case and accents do not count",
      }),
      searchable: true,
    },
    direction: { schema: choice(['in', 'out'], { description: 'Whether the money came in or went out' }) },
    amount_from: { schema: bound('least') },
    amount_to: { schema: bound('greatest') },
    counterparty_id: {
      schema: uuid({ description: 'The partner whose IBAN or name the line has' }),
      reference: { table: 'partners' },
    },
    account_id: {
      schema: uuid({ description: 'The ledger account that the amount is booked on' }),
      required: true,
      reference: { table: 'accounts', mustBeActive: true },
    },
    tax_group_id: {
      schema: uuid({
        description: 'For expenses: the tax included in the amount, at the rate on the date of the line',
      }),
      reference: { table: 'taxes' },
    },
    partner_id: {
      schema: uuid({ description: 'The partner of the entry, such as the bank whose charge it is' }),
      reference: { table: 'partners', mustBeActive: true },
    },
    project_id: { schema: uuid(), reference: { table: 'projects', mustBeActive: true } },
    cost_center_id: { schema: uuid(), reference: { table: 'cost_centers', mustBeActive: true } },
    entry_text: { schema: text({ max: 500, description: "Text of the entry; defaults to the line's" }) },
  },
  async onCreate({ trx }, values) {
    await checkRule(trx, values);
    const last = await nextPosition(trx);
    return { ...values, position: values.position ?? last };
  },
  async onPatch({ trx }, values, current) {
    await checkRule(trx, { ...current, ...values });
    return values;
  },
});
