/** All Spanish messages. */
import type { Catalogue } from '../catalogue.ts';
import { ACCESS } from './access.ts';
import { ASSETS } from './assets.ts';
import { BANK } from './bank.ts';
import { CONTRACTS } from './contracts.ts';
import { INTEGRATIONS } from './integrations.ts';
import { LEDGER } from './ledger.ts';
import { MESSAGES } from './messages.ts';
import { RECORD_NAMES } from './record-names.ts';
import { RECORDS } from './records.ts';
import { REPORTS } from './reports.ts';
import { SERVICE } from './service.ts';
import { STAFF } from './staff.ts';
import { TASKS } from './tasks.ts';
import { TITLES } from './titles.ts';
import { TRADE } from './trade.ts';
import { WORDS } from './words.ts';

export const SPANISH: Catalogue = [
  ...TITLES,
  ...SERVICE,
  ...ACCESS,
  ...ASSETS,
  ...BANK,
  ...CONTRACTS,
  ...INTEGRATIONS,
  ...LEDGER,
  ...MESSAGES,
  ...RECORDS,
  ...REPORTS,
  ...STAFF,
  ...TASKS,
  ...TRADE,
  ...RECORD_NAMES,
  ...WORDS,
];
