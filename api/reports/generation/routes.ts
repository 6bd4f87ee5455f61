/** Reports: totals over many records, at a date or over a period. Each is declared in services/reports/engine. */
import { REPORTS } from '../../../services/reports/generation/reports.ts';
import type { Route } from '../../route.ts';
import { generationRoute, reportRoute } from './report-route.ts';

export const routes: Route[] = REPORTS.flatMap((report) => [reportRoute(report), generationRoute(report)]);
