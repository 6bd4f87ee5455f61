import { Type } from 'typebox';
import { instant, integer, label, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { role } from '../auth/schemas.ts';

export const apiKeyMembers = {
  id: uuid(),
  name: label(),
  role: role(),
  expiresAt: nullable(instant()),
  createdBy: nullable(uuid()),
  createdByName: nullable(text()),
  lastUsedAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const apiKeySchema = Type.Object(apiKeyMembers, { title: 'ApiKey' });
