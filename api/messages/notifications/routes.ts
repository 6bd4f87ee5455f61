/** The notifications of the calling user, and their settings. */
import { type TSchema, Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_TYPES,
  type NotificationSettings,
} from '../../../domain/messages/notifications/types.ts';
import {
  countUnread,
  deleteNotification,
  findNotification,
  markAllRead,
  markNotification,
} from '../../../services/messages/notifications/inbox.ts';
import { changeSettings, loadChoices } from '../../../services/messages/notifications/settings.ts';
import {
  choice,
  dataBody,
  flag,
  instant,
  integer,
  resettable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { requireUser } from '../../access/sessions/routes.ts';
import { listRoute } from '../../lists/list-route.ts';
import { noContent, ok, settings } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

const notification = Type.Object(
  {
    id: uuid(),
    type: choice(NOTIFICATION_TYPES),
    title: text({ min: 0, max: 300 }),
    body: text({ min: 0, max: 2000 }),
    read: flag(),
    user_id: uuid(),
    tenant_id: uuid(),
    metadata: Type.Optional(Type.Record(text(), Type.Unknown())),
    action_url: Type.Optional(text()),
    action_label: Type.Optional(text()),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
    read_at: Type.Optional(instant()),
  },
  { title: 'Notification' },
);

const list: ListDefinition = {
  fields: {
    read: { type: 'boolean' },
    type: { type: 'choice', choices: NOTIFICATION_TYPES },
    created_at: { type: 'instant', notNull: true },
  },
  defaultSort: '',
  defaultLimit: 20,
  offsets: true,
};

const CHOICES = Object.keys(DEFAULT_NOTIFICATION_SETTINGS) as (keyof NotificationSettings)[];

const unread = { unread_count: integer({ minimum: 0 }) };
const shared = { tag: 'Notifications', access: 'member', problems: ['forbidden'] } as const;
const params = Type.Object({ id: uuid() });

function toJson(row: Notification) {
  return Notification.toJson({ ...row });
}

export const routes: Route[] = [
  listRoute({
    ...shared,
    path: '/api/notifications',
    id: 'listNotifications',
    summary: 'Your notifications, newest first',
    description: 'With `unread_count`, the number of all unread notifications, regardless of filters.',
    list,
    row: notification,
    besides: {
      members: unread,
      read: async ({ reader, caller }) => ({ unread_count: await countUnread(reader, requireUser(caller).userId) }),
    },
    rows: ({ caller }) => ({
      from: 'notifications',
      where: { user_id: requireUser(caller).userId },
      toJson: (row: JsonRow) => toJson(fromRow(Notification, row)),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/notifications/unread-count',
    id: 'countUnreadNotifications',
    summary: 'Number of your unread notifications',
    description: 'The same number as in the list.',
    responses: { 200: compared(Type.Object(unread, { title: 'UnreadCount' })) },
    handler: async ({ reader, caller }) => ({
      status: 200,
      body: { unread_count: await countUnread(reader, requireUser(caller).userId) },
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/notifications/read-all',
    id: 'markAllNotificationsRead',
    whenFull: 'works',
    summary: 'Mark all your notifications as read',
    description: 'Answers with the number that were unread.',
    responses: { 200: compared(Type.Object({ updated: integer({ minimum: 0 }) }, { title: 'MarkedNotifications' })) },
    async handler({ db, ctx, caller }) {
      requireUser(caller);
      return { status: 200, body: { updated: await markAllRead(db, ctx) } };
    },
  }),
  ...settingsRoutes(),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/notifications/:id',
    id: 'getNotification',
    summary: 'One of your notifications',
    description: 'Reading it does not mark it as read.',
    whole: true,
    params,
    responses: { 200: dataBody(notification) },
    handler: async ({ reader, caller, params: { id } }) =>
      ok(toJson(await findNotification(reader, requireUser(caller).userId, id))),
  }),
  marking('read', true),
  marking('unread', false),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/api/notifications/:id',
    id: 'deleteNotification',
    summary: 'Delete one of your notifications',
    description: 'It cannot be restored.',
    params,
    responses: { 204: null },
    async handler({ db, ctx, caller, params: { id }, ifMatch }) {
      requireUser(caller);
      await deleteNotification(db, ctx, id, ifMatch);
      return noContent();
    },
  }),
];

function marking(action: 'read' | 'unread', read: boolean): Route {
  return defineRoute({
    ...shared,
    method: 'POST',
    path: `/api/notifications/:id/${action}`,
    id: read ? 'markNotificationRead' : 'markNotificationUnread',
    whenFull: 'works',
    summary: `Mark one of your notifications as ${action}`,
    description: 'Has no effect if it already is.',
    params,
    responses: { 200: dataBody(notification) },
    async handler({ db, ctx, caller, params: { id }, ifMatch }) {
      requireUser(caller);
      return ok(toJson(await markNotification(db, ctx, id, read, ifMatch)));
    },
  });
}

/** Builds the members of all choices. @param member the schema of one choice, given its default */
function choices(member: (byDefault: boolean) => TSchema): Record<keyof NotificationSettings, TSchema> {
  const members = CHOICES.map((name) => [name, member(DEFAULT_NOTIFICATION_SETTINGS[name])]);
  return Object.fromEntries(members) as Record<keyof NotificationSettings, TSchema>;
}

function settingsRoutes(): Route[] {
  const path = '/api/notifications/settings';
  const responses = {
    200: Type.Object(
      choices(() => flag()),
      { title: 'NotificationSettings' },
    ),
  };
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path,
      id: 'getNotificationSettings',
      summary: 'Your notification settings',
      description: 'Your choices in this company, including defaults.',
      whole: true,
      responses,
      headers: ['ETag'],
      handler: async ({ reader, ctx, caller }) => settings(ctx, await loadChoices(reader, requireUser(caller).userId)),
    }),
    defineRoute({
      ...shared,
      method: 'PATCH',
      path,
      id: 'changeNotificationSettings',
      whenFull: 'reserve',
      summary: 'Choose which notifications you get',
      description: 'Members left out stay as they are; null returns one to its default.',
      problems: ['forbidden', 'duplicate'],
      body: Type.Object(
        choices((byDefault) => Type.Optional(resettable(flag(), byDefault))),
        { title: 'NotificationSettingsChange' },
      ),
      responses,
      headers: ['ETag'],
      async handler({ db, ctx, caller, body, ifMatch }) {
        const { userId } = requireUser(caller);
        return settings(ctx, await changeSettings(db, ctx, userId, body as Partial<NotificationSettings>, ifMatch));
      },
    }),
  ];
}
