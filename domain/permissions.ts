/** Roles are named sets of permissions `resource:action` (decisions, section 3). Declared here, used by API, docs and tests. */

/** What permissions speak of. Routes name one of these; a role grants actions on them. */
export const RESOURCES = [
  'partners',
  'partner_groups',
  'items',
  'uom',
  'categories',
  'warehouses',
  'zones',
  'taxes',
  'series',
  'periods',
  'pricelists',
  'accounts',
  'journal_entries',
  'projects',
  'stock',
  'sales_orders',
  'sales_delivery_notes',
  'sales_invoices',
  'purchase_orders',
  'purchase_delivery_notes',
  'purchase_invoices',
  'payments',
  'reports',
  'people',
  'payroll',
  'users',
  'memberships',
  'tenants',
  'api_keys',
  'roles',
  'company',
  'config',
  'bank_accounts',
  'custom_fields',
  'webhooks',
  'automations',
  'plugins',
  'audit',
  'files',
  'tasks',
] as const;

export type Resource = (typeof RESOURCES)[number];
export type Action = 'read' | 'create' | 'update' | 'delete';
export type Permission = `${Resource}:${Action}`;
export type Role = 'owner' | 'admin' | 'accountant' | 'sales' | 'purchasing' | 'warehouse' | 'hr' | 'viewer';

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete'];
/** Configuration of the company and its connections: owner and admin only. */
const ADMINISTRATION: readonly Resource[] = [
  'config',
  'bank_accounts',
  'custom_fields',
  'webhooks',
  'automations',
  'plugins',
  'audit',
  'api_keys',
  'users',
  'memberships',
  'tenants',
  'roles',
];
const PRIVATE: readonly Resource[] = ['people', 'payroll'];

/** What every member may read: whose company it is, and what was made for himself. */
const COMMON: readonly Resource[] = ['company', 'files', 'tasks'];

/** What everybody who trades may read besides, because forms cannot be filled without it. */
const REFERENCE: readonly Resource[] = [
  ...COMMON,
  'partner_groups',
  'items',
  'uom',
  'categories',
  'warehouses',
  'zones',
  'taxes',
  'series',
  'periods',
  'pricelists',
];

function all(...resources: readonly Resource[]): Permission[] {
  return resources.flatMap((resource) => ACTIONS.map((action): Permission => `${resource}:${action}`));
}

function read(...resources: readonly Resource[]): Permission[] {
  return resources.map((resource): Permission => `${resource}:read`);
}

/** The roles and what each may do. */
export const ROLES: Readonly<Record<Role, { readonly name: string; readonly permissions: ReadonlySet<Permission> }>> = {
  owner: { name: 'Owner', permissions: new Set(all(...RESOURCES)) },
  admin: { name: 'Administrator', permissions: new Set(all(...RESOURCES)) },
  accountant: {
    name: 'Accountant',
    permissions: new Set([
      ...read(
        ...REFERENCE,
        'audit',
        'bank_accounts',
        'stock',
        'projects',
        'sales_orders',
        'sales_delivery_notes',
        'purchase_orders',
        'purchase_delivery_notes',
      ),
      ...all(
        'accounts',
        'journal_entries',
        'payments',
        'sales_invoices',
        'purchase_invoices',
        'taxes',
        'periods',
        'series',
        'reports',
        'partners',
        'partner_groups',
        'projects',
        'tasks',
      ),
    ]),
  },
  sales: {
    name: 'Sales',
    permissions: new Set([
      ...read(...REFERENCE, 'stock', 'projects', 'reports'),
      ...all('partners', 'pricelists', 'sales_orders', 'sales_delivery_notes', 'sales_invoices', 'tasks'),
    ]),
  },
  purchasing: {
    name: 'Purchasing',
    permissions: new Set([
      ...read(...REFERENCE, 'stock', 'projects', 'reports'),
      ...all('partners', 'pricelists', 'purchase_orders', 'purchase_delivery_notes', 'purchase_invoices', 'tasks'),
    ]),
  },
  warehouse: {
    name: 'Warehouse',
    permissions: new Set([
      ...read(...REFERENCE, 'partners', 'sales_orders', 'purchase_orders'),
      ...all('sales_delivery_notes', 'purchase_delivery_notes', 'stock', 'items', 'warehouses', 'zones', 'tasks'),
    ]),
  },
  hr: {
    name: 'Human resources',
    permissions: new Set([...read(...COMMON, 'reports'), ...all('people', 'payroll', 'tasks')]),
  },
  viewer: {
    name: 'Viewer',
    permissions: new Set(
      read(...RESOURCES.filter((resource) => !ADMINISTRATION.includes(resource) && !PRIVATE.includes(resource))),
    ),
  },
};

/** Whether a text names a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}
