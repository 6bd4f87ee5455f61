/** The client of Temporal that API, workers and commands use: it translates ids of contracts to those in Temporal. */
import {
  Client,
  type ClientOptions,
  type WorkflowClientInterceptor,
  type WorkflowResultOptions,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { COMPANY, KIND } from '../../../workflows/platform/search-attributes/contract.ts';
import { readableId, workflowIdParts } from '../../../workflows/platform/temporal/contract.ts';
import type { CompanyNames } from './company-names.ts';

/** A client that takes workflows by the ids of their contracts. Only histories, lists and schedules need ids of Temporal. */
export class ServiceClient extends Client {
  readonly names: CompanyNames;

  constructor(
    options: Pick<ClientOptions, 'connection' | 'namespace'> & { readonly names: CompanyNames },
    interceptors: readonly WorkflowClientInterceptor[] = [],
  ) {
    const { names, ...rest } = options;
    super({ ...rest, interceptors: { workflow: [named(names), ...interceptors] } });
    this.names = names;
    // Waiting for a result is no call that an interceptor sees.
    const result = this.workflow.result.bind(this.workflow);
    this.workflow.result = async (workflowId: string, runId?: string, options?: WorkflowResultOptions) =>
      result(await names.workflowId(workflowId), runId, options);
  }
}

type Start = Pick<WorkflowStartOptions, 'typedSearchAttributes'> & { readonly workflowId: string };

/** The start with the id in Temporal; it also tells the company and what the workflow does, unless its contract does. */
export async function namedStart<S extends Start>(names: CompanyNames, start: S): Promise<S> {
  const parts = workflowIdParts(start.workflowId);
  const name = parts === null ? null : await names.find(parts.tenantId);
  if (parts === null || name === null) return start;
  const { typedSearchAttributes: given = [] } = start;
  const pairs = Array.isArray(given) ? given : given.getAll();
  const hasKind = pairs.some(({ key }) => key.name === KIND.name);
  return {
    ...start,
    workflowId: readableId(start.workflowId, name.shortName),
    typedSearchAttributes: [
      ...pairs,
      { key: COMPANY, value: name.company },
      ...(hasKind ? [] : [{ key: KIND, value: parts.kind }]),
    ],
  };
}

function named(names: CompanyNames): WorkflowClientInterceptor {
  const execution = async <Input extends { readonly workflowExecution: { workflowId?: string | null } }>(
    input: Input,
  ): Promise<Input> => {
    const { workflowId } = input.workflowExecution;
    if (workflowId == null) return input;
    return {
      ...input,
      workflowExecution: { ...input.workflowExecution, workflowId: await names.workflowId(workflowId) },
    };
  };
  return {
    start: async (input, next) => next({ ...input, options: await namedStart(names, input.options) }),
    signalWithStart: async (input, next) => next({ ...input, options: await namedStart(names, input.options) }),
    signal: async (input, next) => next(await execution(input)),
    query: async (input, next) => next(await execution(input)),
    startUpdate: async (input, next) => next(await execution(input)),
    terminate: async (input, next) => next(await execution(input)),
    cancel: async (input, next) => next(await execution(input)),
    describe: async (input, next) => next(await execution(input)),
  };
}
