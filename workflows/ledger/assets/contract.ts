/** Contract for fixed assets: constants only. */

/** Workflow of a task that enters the depreciation that is due. */
export const DEPRECIATION_RUN = 'depreciationRun';
