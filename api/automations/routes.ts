/** Automations: rules that do something when something happens. */
import { Type } from 'typebox';
import { Automation } from '../../db/models/automations.ts';
import { fromRow } from '../../db/models/base.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { LANGUAGES } from '../../domain/locale/formats.ts';
import { READY_RULES } from '../../services/automations/library.ts';
import {
  automationToJson,
  changeAutomation,
  createAutomation,
  type RulePolicy,
  readAutomation,
  removeAutomation,
  setStatus,
} from '../../services/automations/manage.ts';
import { MOST_RECORDS } from '../../services/automations/records/select.ts';
import {
  AutomationChange,
  AutomationCreate,
  members,
  RULE_STATUSES,
  TRIGGER_TYPES,
} from '../../services/automations/schemas.ts';
import { tryAutomation } from '../../services/automations/try.ts';
import { choice, dataOf, flag, instant, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, noContent, ok } from '../respond.ts';
import { type Deps, defineRoute, type Route } from '../route.ts';
import { logRoutes } from './logs.ts';
import { ruleWarnings } from './warnings.ts';

const TAG = 'Automations';
const COLLECTION = '/api/automations';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });

const Answer = Type.Object(
  {
    id: uuid(),
    ...members,
    pause_reason: nullable(text({ max: 500, description: 'Why the service has paused it; null if it has not' })),
    execution_count: integer({ description: 'How often it has run' }),
    last_executed_at: nullable(instant({ description: 'When it last ran; null: never' })),
    next_runs: Type.Array(instant(), { description: 'The next five, if it runs by the clock and is active' }),
    created_by: nullable(uuid()),
    runs_as: nullable(uuid({ description: 'The user whose permissions its actions need; null for an API key' })),
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: text({ min: 0, max: 300 }), message: text({ max: 500 }) }), {
        description: 'Only when just saved: what is most likely a mistake, such as paths that lead to nothing',
      }),
    ),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'Automation' },
);

const Trial = Type.Object(
  {
    matched: flag({ description: 'Whether it would run' }),
    document_id: nullable(uuid({ description: 'The document that it was tried with; null if there is none' })),
    records: nullable(
      integer({
        description:
          `How many records its query selects now, counted up to ${MOST_RECORDS + 1}: ` +
          `a run acts on ${MOST_RECORDS} at most; null without a query`,
      }),
    ),
    conditions: Type.Array(
      Type.Object(
        {
          field: text(),
          operator: text(),
          expected: Type.Unknown({ description: 'The value of the condition' }),
          actual: Type.Unknown({ description: 'What the condition sees; null for nothing' }),
          result: flag({ description: 'Whether it holds' }),
        },
        { title: 'TriedCondition' },
      ),
      { description: 'What each condition saw' },
    ),
    actions: Type.Array(
      Type.Object(
        {
          type: text({ description: 'The action' }),
          rendered: Type.Object(
            {},
            { additionalProperties: true, description: 'Its other members, their templates filled in' },
          ),
          warnings: Type.Array(text({ max: 500 })),
        },
        { title: 'TriedAction' },
      ),
      { description: 'What each action would do' },
    ),
  },
  { title: 'AutomationTrial' },
);

const ReadyRule = Type.Object(
  {
    key: text({ description: 'What it is, in any language' }),
    language: choice(LANGUAGES, { description: 'Of its texts' }),
    automation: { ...AutomationCreate, description: 'What the POST takes' },
  },
  { title: 'ReadyAutomation' },
);

const list: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    description: { type: 'text', searchable: true },
    trigger: { type: 'choice', column: "automations.trigger ->> 'type'", choices: TRIGGER_TYPES },
    status: { type: 'choice', choices: RULE_STATUSES },
    execution_count: { type: 'integer' },
    last_executed_at: { type: 'instant' },
    created_by: { type: 'uuid' },
    created_at: { type: 'instant' },
    updated_at: { type: 'instant' },
  },
  defaultSort: '-created_at',
};

const EXAMPLE = {
  name: 'Tell the manager of big orders',
  trigger: { type: 'document.created', document_type: 'sales_order' },
  conditions: [{ field: 'document.total', operator: 'greater_than', value: 10000 }],
  actions: [
    {
      type: 'notification.create',
      role: 'admin',
      title: 'Big order {{document.code}}',
      body: '{{document.partner.name}} orders for {{document.total}} {{document.currency}}',
    },
  ],
};

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'automations:read',
    path: COLLECTION,
    id: 'listAutomations',
    summary: 'List automations',
    list,
    row: Answer,
    hidden: ['warnings'],
    rows: ({ ctx }) => ({
      from: 'automations',
      toJson: (row: Record<string, unknown>) => automationToJson(fromRow(Automation, row), ctx.now),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:read',
    method: 'GET',
    path: `${COLLECTION}/templates`,
    id: 'listAutomationTemplates',
    summary: 'Ready automations',
    description:
      'In each language. `POST /api/automations` takes the `automation` of each as it stands, or with changes.',
    responses: { 200: dataOf(Type.Array(ReadyRule)) },
    handler: async () =>
      ok(
        LANGUAGES.flatMap((language) =>
          READY_RULES.map(({ key, in: rule }) => ({ key, language, automation: rule(language) })),
        ),
      ),
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:create',
    method: 'POST',
    path: COLLECTION,
    id: 'createAutomation',
    summary: 'Make an automation',
    description:
      'When its trigger comes and all conditions hold, its actions are done in order, with the permissions of whoever made it. ' +
      'Try it out first: `POST …/test` does nothing.',
    body: AutomationCreate,
    examples: { body: EXAMPLE },
    responses: { 201: dataOf(Answer) },
    async handler({ db, ctx, body, deps }) {
      const automation = await createAutomation(db, ctx, policyOf(deps), body);
      return created(`${COLLECTION}/${automation.id}`, saved(automation, ctx.now));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:read',
    method: 'GET',
    path: ONE,
    id: 'getAutomation',
    summary: 'One automation',
    description: 'With its next runs, if it runs by the clock.',
    params: Id,
    responses: { 200: dataOf(Answer) },
    handler: async ({ reader, ctx, params }) => ok(automationToJson(await readAutomation(reader, params.id), ctx.now)),
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'PATCH',
    path: ONE,
    id: 'changeAutomation',
    summary: 'Change an automation',
    description: 'Members left out stay as they are; trigger, conditions and actions are replaced as a whole.',
    params: Id,
    body: AutomationChange,
    responses: { 200: dataOf(Answer) },
    async handler({ db, ctx, params, body, ifMatch, deps }) {
      return ok(saved(await changeAutomation(db, ctx, policyOf(deps), params.id, body, ifMatch), ctx.now));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:delete',
    method: 'DELETE',
    path: ONE,
    id: 'deleteAutomation',
    summary: 'Delete an automation',
    description: 'It does nothing from then on.',
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removeAutomation(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  statusRoute('enable', 'Enable an automation', 'Whoever enables it takes it over from somebody who has left.'),
  statusRoute('pause', 'Pause an automation', 'It stays as it is, but does not run.'),
  defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'POST',
    path: `${ONE}/test`,
    id: 'testAutomation',
    summary: 'Try an automation',
    description:
      'What its conditions see and its actions would do with a document, or with the latest that fits. Nothing is done.',
    params: Id,
    body: Type.Object(
      { document_id: Type.Optional(nullable(uuid({ description: 'Defaults to the latest that fits' }))) },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 200: dataOf(Trial) },
    transaction: 'none',
    handler: async ({ reader, ctx, params, body }) =>
      ok(await tryAutomation(reader, ctx, await readAutomation(reader, params.id), body?.document_id ?? null)),
  }),
  ...logRoutes,
];

function statusRoute(verb: 'enable' | 'pause', summary: string, description: string): Route {
  return defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'POST',
    path: `${ONE}/${verb}`,
    id: `${verb}Automation`,
    summary,
    description,
    params: Id,
    responses: { 200: dataOf(Answer) },
    async handler({ db, ctx, params, ifMatch, deps }) {
      const status = verb === 'enable' ? 'active' : 'paused';
      return ok(automationToJson(await setStatus(db, ctx, policyOf(deps), params.id, status, ifMatch), ctx.now));
    },
  });
}

function saved(automation: Automation, now: Date) {
  return { ...automationToJson(automation, now), warnings: ruleWarnings(automation) };
}

function policyOf({ config }: Deps): RulePolicy {
  return { allowPrivateTargets: config.webhooks.allowPrivateTargets };
}
