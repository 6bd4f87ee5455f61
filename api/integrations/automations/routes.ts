/** Automations: rules with a trigger, conditions and actions. */
import { Type } from 'typebox';
import { fromRow } from '../../../db/models/base.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { LANGUAGES } from '../../../domain/locale/formats.ts';
import { READY_RULES } from '../../../services/integrations/automations/library.ts';
import {
  automationToJson,
  changeAutomation,
  createAutomation,
  type RulePolicy,
  readAutomation,
  removeAutomation,
  setStatus,
} from '../../../services/integrations/automations/manage.ts';
import { MAX_RECORDS } from '../../../services/integrations/automations/records/select.ts';
import {
  AutomationChange,
  AutomationCreate,
  members,
  RULE_STATUSES,
  TRIGGER_TYPES,
} from '../../../services/integrations/automations/schemas.ts';
import { tryAutomation } from '../../../services/integrations/automations/try.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import {
  choice,
  dataBody,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { assertChangedFields } from './changed-fields.ts';
import { runRoutes } from './run-routes.ts';
import { ruleWarnings } from './warnings.ts';

const TAG = 'Automations';
const COLLECTION = '/api/automations';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });

const Answer = Type.Object(
  {
    id: uuid(),
    ...members,
    for_each: nullable(members.for_each),
    pause_reason: nullable(text({ max: 500, description: 'Reason why the service paused it; null if it did not' })),
    execution_count: integer({ description: 'Number of runs' }),
    last_executed_at: nullable(instant({ description: 'When it last ran; null: never' })),
    next_runs: Type.Array(instant(), { description: 'The next five, if it runs by the clock and is active' }),
    created_by: nullable(uuid()),
    runs_as: nullable(uuid({ description: 'The user whose permissions its actions need; null for an API key' })),
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: text({ min: 0, max: 300 }), message: text({ max: 500 }) }), {
        description: 'Only in answers to changes: likely mistakes, such as paths without data',
      }),
    ),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'Automation' },
);
/** As listed: the next runs are computed for one rule at a time. */
const Listed = Type.Omit(Answer, ['next_runs', 'warnings'], { title: 'ListedAutomation' });

const Trial = Type.Object(
  {
    matched: flag({ description: 'Whether it would run' }),
    document_id: nullable(uuid({ description: 'The document used for the trial; null if there is none' })),
    line_id: nullable(
      uuid({
        description: 'The line used for the trial of a rule for each line: the first that fits, or else the first',
      }),
    ),
    records: nullable(
      integer({
        description:
          `Number of records that its query selects now, up to ${MAX_RECORDS + 1}: ` +
          `a run acts on at most ${MAX_RECORDS}; null without a query`,
      }),
    ),
    conditions: Type.Array(
      Type.Object(
        {
          pointer: text({ description: 'Pointer to the condition in the rule' }),
          field: text(),
          operator: text(),
          expected: Type.Unknown({ description: 'The value of the condition, or of its `value_field`' }),
          actual: Type.Unknown({ description: 'The actual value; null if there is none' }),
          result: flag({ description: 'Whether it holds' }),
        },
        { title: 'TriedCondition' },
      ),
      { description: 'Result of each condition' },
    ),
    actions: Type.Array(
      Type.Object(
        {
          type: text({ description: 'The action' }),
          rendered: Type.Object(
            {},
            { additionalProperties: true, description: 'Its other members, with filled-in templates' },
          ),
          warnings: Type.Array(text({ max: 500 })),
        },
        { title: 'TriedAction' },
      ),
      { description: 'Effect that each action would have' },
    ),
  },
  { title: 'AutomationTrial' },
);

const ReadyRule = Type.Object(
  {
    key: text({ description: 'Identifies it in any language' }),
    language: choice(LANGUAGES, { description: 'Language of its texts' }),
    automation: { ...AutomationCreate, description: 'Body for the POST' },
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
    access: Automation.access,
    path: COLLECTION,
    id: 'listAutomations',
    summary: 'List automations',
    list,
    row: Listed,
    rows: () => ({
      from: 'automations',
      toJson: (row: Record<string, unknown>) => Automation.toJson({ ...fromRow(Automation, row) }),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: Automation.access,
    method: 'GET',
    path: `${COLLECTION}/templates`,
    id: 'listAutomationTemplates',
    summary: 'Predefined automations',
    description: 'In each language. Send the `automation` of one to `POST /api/automations`, unchanged or adapted.',
    responses: { 200: dataBody(Type.Array(ReadyRule)) },
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
    summary: 'Create an automation',
    description:
      'When its trigger fires and all conditions hold, its actions run in order, with the permissions of its creator. ' +
      'Try it first: `POST …/test` changes nothing.',
    body: AutomationCreate,
    examples: { body: EXAMPLE },
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body, deps }) {
      assertChangedFields(body.trigger);
      const automation = await createAutomation(db, ctx, rulePolicy(deps), body);
      return created(`${COLLECTION}/${automation.id}`, saved(automation, ctx.now));
    },
  }),
  defineRoute({
    tag: TAG,
    access: Automation.access,
    method: 'GET',
    path: ONE,
    id: 'getAutomation',
    summary: 'One automation',
    description: 'With its next runs, if it runs by the clock.',
    params: Id,
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, ctx, params }) => ok(automationToJson(await readAutomation(reader, params.id), ctx.now)),
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'PATCH',
    path: ONE,
    id: 'changeAutomation',
    whenFull: 'reserve',
    summary: 'Change an automation',
    description: 'Members left out stay as they are; trigger, conditions and actions are replaced as a whole.',
    params: Id,
    body: AutomationChange,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, params, body, ifMatch, deps }) {
      assertChangedFields(body.trigger);
      return ok(saved(await changeAutomation(db, ctx, rulePolicy(deps), params.id, body, ifMatch), ctx.now));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'automations:delete',
    method: 'DELETE',
    path: ONE,
    id: 'deleteAutomation',
    summary: 'Delete an automation',
    description: 'It stops running at once.',
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removeAutomation(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  statusRoute('enable', 'Enable an automation', 'The caller takes it over if its previous owner has left.'),
  statusRoute('pause', 'Pause an automation', 'It is kept, but does not run.'),
  defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'POST',
    path: `${ONE}/test`,
    id: 'testAutomation',
    summary: 'Try an automation',
    description:
      'Shows the results of its conditions and the effects of its actions for a document, or for the latest that fits. Changes nothing.',
    params: Id,
    body: Type.Object(
      { document_id: Type.Optional(nullable(uuid({ description: 'Defaults to the latest matching document' }))) },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 200: dataBody(Trial) },
    transaction: 'none',
    async handler({ reader, ctx, caller, params, body, deps }) {
      const tried = { automation: await readAutomation(reader, params.id), permissions: caller.permissions };
      return ok(await tryAutomation(reader, ctx, configuredKeys(deps.config), tried, body?.document_id ?? null));
    },
  }),
  ...runRoutes,
];

function statusRoute(verb: 'enable' | 'pause', summary: string, description: string): Route {
  return defineRoute({
    tag: TAG,
    access: 'automations:update',
    method: 'POST',
    path: `${ONE}/${verb}`,
    id: `${verb}Automation`,
    whenFull: 'reserve',
    summary,
    description,
    params: Id,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, params, ifMatch, deps }) {
      const status = verb === 'enable' ? 'active' : 'paused';
      return ok(automationToJson(await setStatus(db, ctx, rulePolicy(deps), params.id, status, ifMatch), ctx.now));
    },
  });
}

function saved(automation: Automation, now: Date) {
  return { ...automationToJson(automation, now), warnings: ruleWarnings(automation) };
}

function rulePolicy({ config }: Deps): RulePolicy {
  return { targets: config.webhooks.targets, encryptionKeys: configuredKeys(config) };
}
