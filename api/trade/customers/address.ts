/** The whole address of a customer's link. */
import type { Config } from '../../../config/index.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { CUSTOMER_PATH, customerQuery, type LinkedCustomer } from '../../../services/trade/customers/link.ts';

/** @throws ServiceError unavailable without a key */
export function customerAddress(config: Config, link: LinkedCustomer): string {
  return `${config.appUrl}${CUSTOMER_PATH}?${customerQuery(configuredKeys(config), link)}`;
}
