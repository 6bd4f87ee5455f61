import type { Route } from '../../route.ts';
import { routes as config } from './config.ts';
import { routes as fiscalYears } from './fiscal-years.ts';
import { routes as journalEntries } from './journal-entries.ts';
import { routes as proRata } from './pro-rata.ts';

export const routes: Route[] = [...config, ...journalEntries, ...fiscalYears, ...proRata];
