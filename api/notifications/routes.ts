/** The notifications of the calling user, and what they choose of them. */
import { type TSchema, Type } from 'typebox';
import { fromRow, type JsonRow } from '../../db/models/base.ts';
import { Notification } from '../../db/models/notifications.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_TYPES,
  type NotificationSettings,
} from '../../domain/notifications/types.ts';
import {
  countUnread,
  deleteNotification,
  findNotification,
  markAllRead,
  markNotification,
} from '../../services/notifications/inbox.ts';
import { changeSettings, settingsOf } from '../../services/notifications/settings.ts';
import { choice, dataOf, flag, instant, integer, resettable, text, uuid } from '../../services/validation/schemas.ts';
import { requireUser } from '../auth/routes.ts';
import { listRoute } from '../list-route.ts';
import { noContent, ok, settings } from '../respond.ts';
import { compared, defineRoute, type Route } from '../route.ts';

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
    description: 'With `unread_count`, which counts all that are unread, whatever is filtered.',
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
    summary: 'How many notifications you have not read',
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
    summary: 'Mark all your notifications as read',
    description: 'Answers how many were unread.',
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
    responses: { 200: dataOf(notification) },
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
    description: 'It is gone for good.',
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
    summary: `Mark one of your notifications as ${action}`,
    description: 'One that is so already stays as it is.',
    params,
    responses: { 200: dataOf(notification) },
    async handler({ db, ctx, caller, params: { id }, ifMatch }) {
      requireUser(caller);
      return ok(toJson(await markNotification(db, ctx, id, read, ifMatch)));
    },
  });
}

/** @param member what a choice is in a body or an answer */
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
      summary: 'Which notifications you get',
      description: 'Your choices in this company, including defaults.',
      whole: true,
      responses,
      headers: ['ETag'],
      handler: async ({ reader, ctx, caller }) => settings(ctx, await settingsOf(reader, requireUser(caller).userId)),
    }),
    defineRoute({
      ...shared,
      method: 'PATCH',
      path,
      id: 'changeNotificationSettings',
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
