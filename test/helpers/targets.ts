/** The addresses that tests may call: receivers on this machine, whose ports the system chooses. */
import type { TargetPolicy } from '../../domain/integrations/webhooks/targets.ts';

/** OUTBOUND_ALLOWED_TARGETS of processes under test. */
export const ALLOWED_TARGETS = '127.0.0.1:*';

export const LOCAL_TARGETS: TargetPolicy = {
  allowPrivate: false,
  allowed: [{ host: '127.0.0.1', port: null }],
  own: [],
};

/** The default: the public internet alone. */
export const PUBLIC_TARGETS: TargetPolicy = { allowPrivate: false, allowed: [], own: [] };
