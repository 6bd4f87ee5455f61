/** Contract for report generation. Its workflows are tasks (workflows/platform/tasks/contract.ts). */

/** Task queue of reports, which take seconds of processor time and may need a browser. */
export const REPORTS_QUEUE = 'report-files';

export const REPORT_GENERATION = 'reportGeneration';
