/** The form of the annual accounts of each chart. */
import type { AccountChart } from '../../../ledger/accounting/charts/chart.ts';
import { GERMAN_FORM } from './de.ts';
import { SPANISH_FORM } from './es.ts';
import type { Form } from './form.ts';
import { FRENCH_FORM } from './fr.ts';
import { NEUTRAL_FORM } from './neutral.ts';
import { PORTUGUESE_FORM } from './pt.ts';

const FORMS: Readonly<Record<string, Form>> = {
  ES: SPANISH_FORM,
  FR: FRENCH_FORM,
  PT: PORTUGUESE_FORM,
  DE: GERMAN_FORM,
};

/** The form of a chart's country; common headings for charts of none. */
export function formFor({ country }: Pick<AccountChart, 'country'>): Form {
  return FORMS[country ?? ''] ?? NEUTRAL_FORM;
}
