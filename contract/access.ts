import type { Role } from './vocabulary/roles.ts'

const everyone = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
const groupAdminsUp = ['superAdmin', 'merchantAdmin', 'groupAdmin'] as const
const superAdminOnly = ['superAdmin'] as const

/** Who may do what: the only table that names roles. Routes, endpoints and the menu all read it. */
export const access = {
  'dashboard.read': everyone,
  'machine.read': everyone,
  'machine.associate': groupAdminsUp,
  /** Name, address and group. */
  'machine.write': groupAdminsUp,
  'alarm.read': everyone,
  'alarm.write': everyone,
  'transaction.read': everyone,
  'audit.read': everyone,
  'note.read': everyone,
  'note.write': everyone,
  'remoteCommand.read': everyone,
  'remoteCommand.write': groupAdminsUp,
  'group.read': everyone,
  'merchant.read': everyone,
  /** Every merchant of the deployment, assigned or not. */
  'merchant.readAll': superAdminOnly,
  'merchant.admin': superAdminOnly,
  'postalCode.read': everyone,
  'profile.read': everyone,
  'profile.write': everyone,
  'live.read': everyone,
  /** Beside it, the permission of the list. */
  'export.create': everyone,
  'tableState.read': everyone,
  'tableState.write': everyone,
  'view.read': everyone,
  'view.write': everyone,
  /** Views that others share. */
  'view.manage': ['superAdmin', 'merchantAdmin'],
  'deadLetter.read': superAdminOnly,
  'deadLetter.write': superAdminOnly,
  'demo.control': superAdminOnly,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof access

/** Whether a role holds a permission. */
export const roleMay = (role: Role, permission: Permission): boolean =>
  (access[permission] as readonly Role[]).includes(role)

/** Who holds a permission. */
export const rolesThatMay = (permission: Permission): readonly Role[] => access[permission]
