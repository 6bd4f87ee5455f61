/** The contract of report generation. Its workflows are tasks (workflows/platform/tasks/contract.ts). */

/** Task queue of reports: they take seconds of a processor and maybe a browser. */
export const REPORTS_QUEUE = 'report-files';

export const REPORT_GENERATION = 'reportGeneration';
