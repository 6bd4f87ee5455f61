/** Checks that the company in an activity's input, which it trusts, is the one in the workflow's id. */
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { CompanyNames } from '../services/platform/temporal/company-names.ts';
import { MAINTENANCE_IDS } from '../workflows/operation/contract.ts';

/** Refuses permanently if the input names another company than the workflow's id; work for no company belongs to `maintenance/…`. */
export const tenantCheck =
  (names: CompanyNames): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const workflowId = info.workflowExecution?.workflowId ?? '';
        const [argument] = input.args as [{ readonly tenantId?: unknown } | null | undefined];
        const tenantId = argument?.tenantId;
        const own =
          tenantId === undefined
            ? workflowId.startsWith(MAINTENANCE_IDS)
            : typeof tenantId === 'string' && tenantId !== '' && (await names.isOwn(workflowId, tenantId));
        if (!own) {
          throw ApplicationFailure.create({
            message: `${info.activityType} cannot act for company ${String(tenantId)} because its workflow is ${workflowId}`,
            type: 'foreign_company',
            nonRetryable: true,
          });
        }
        return await next(input);
      },
    },
  });
