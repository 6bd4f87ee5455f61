/** Names the workflows that a workflow starts like those that clients start: by the company's short name, in its own id. */
import type { SearchAttributePair } from '@temporalio/common';
import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { COMPANY, KIND } from '../search-attributes/contract.ts';
import { readableId, workflowIdParts } from './contract.ts';

/** Called by the sandbox for each workflow. */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        startChildWorkflowExecution(input, next) {
          const parts = workflowIdParts(input.options.workflowId);
          if (parts === null) return next(input);
          const { workflowId, typedSearchAttributes } = workflowInfo();
          const company = typedSearchAttributes.get(COMPANY);
          // An older start told no company.
          if (company === undefined) return next(input);
          const [first = ''] = workflowId.split('/');
          const { typedSearchAttributes: given = [] } = input.options;
          const pairs: SearchAttributePair[] = Array.isArray(given) ? given : given.getAll();
          return next({
            ...input,
            options: {
              ...input.options,
              workflowId: readableId(input.options.workflowId, first === parts.tenantId ? null : first),
              typedSearchAttributes: [...pairs, { key: COMPANY, value: company }, { key: KIND, value: parts.kind }],
            },
          });
        },
      },
    ],
  };
}
