/** Lines that only consolidated statements have; their words stand in the place of codes. */
import type { Language } from '../../locale/formats.ts';
import { type Decimal, decimal } from '../../money.ts';
import type { Texts } from '../engine/texts.ts';
import type { GroupAccount, GroupItem } from './items.ts';

interface OwnAccount extends Omit<GroupAccount, 'name'> {
  readonly name: Texts;
}

const line = (code: string, type: GroupAccount['type'], es: string, en: string): OwnAccount => ({
  ...{ code, type },
  name: { es, en },
});

export const OWN_ACCOUNTS = {
  /** The price of a company beyond the group's share of its equity. */
  goodwill: line('goodwill', 'asset', 'Fondo de comercio de consolidación', 'Goodwill on consolidation'),
  /**
   * The group's share of what companies have earned since they joined; a purchase below the share of equity adds to it. In the column of
   * a company with another currency: what its earlier results are worth more at the rates of their months.
   */
  reserves: line(
    'group_reserves',
    'equity',
    'Reservas en sociedades consolidadas',
    'Reserves of consolidated companies',
  ),
  /** Between assets less debts at the closing rate, and equity and results at theirs: account 135 of the Spanish chart. */
  translation: line('translation_difference', 'equity', 'Diferencias de conversión', 'Translation differences'),
  /** The share of equity, the result of the year included, that the group does not own. */
  minorities: line('minorities', 'equity', 'Socios externos', 'Minority interests'),
  /** The result of the year that is theirs, taken from that of the group. */
  minorityResult: line(
    'minority_result',
    'equity',
    'Resultado atribuido a socios externos',
    'Result attributed to minority interests',
  ),
  /** Amounts that the books of one company have about another, and the other's books have not. */
  differences: line(
    'differences',
    'asset',
    'Diferencias entre saldos de empresas del grupo',
    'Differences between balances of group companies',
  ),
  resultDifferences: line(
    'differences',
    'expense',
    'Diferencias entre operaciones de empresas del grupo',
    'Differences between operations of group companies',
  ),
  openYears: line('open_years', 'equity', 'Resultados de ejercicios no cerrados', 'Results of years not closed'),
} as const;

/** Makes accounts and items of these lines, in one language. */
export class OwnLines {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  /** @param amount debit − credit, on whose side differences stand */
  account(line: keyof typeof OWN_ACCOUNTS, amount: Decimal): GroupAccount {
    const { code, name, type } = OWN_ACCOUNTS[line];
    const sided = line === 'differences' && decimal(amount).lt(0) ? 'liability' : type;
    return { code, name: name[this.#language], type: sided };
  }

  item(line: keyof typeof OWN_ACCOUNTS, amount: Decimal, column: number): GroupItem {
    return { account: this.account(line, amount), column, amount, placedBy: amount };
  }
}
