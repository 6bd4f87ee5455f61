/** Tells the worker how late the first task of a workflow began. The time of a task is in its history, so that a replay is the same. */
import { defaultPayloadConverter, proxySinks, type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { TENANT_ID } from '../search-attributes/contract.ts';
import { DUE_HEADER, type LatenessSinks } from './contract.ts';

const { lateness } = proxySinks<LatenessSinks>();

/** Called by the sandbox for each workflow. */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        execute(input, next) {
          const payload = input.headers[DUE_HEADER];
          const company = workflowInfo().typedSearchAttributes.get(TENANT_ID);
          if (payload !== undefined && company !== undefined)
            lateness.began(company, Date.now() - Number(defaultPayloadConverter.fromPayload(payload)));
          return next(input);
        },
      },
    ],
  };
}
