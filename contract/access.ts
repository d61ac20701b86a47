import type { Role } from './vocabulary/roles.ts'

const everyone = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
const groupAdminsUp = ['superAdmin', 'merchantAdmin', 'groupAdmin'] as const
const superAdminOnly = ['superAdmin'] as const

/** Who may do what: the only table that names roles. Routes, endpoints and the menu all read it. */
export const access = {
  'dashboard.read': everyone,
  'machine.read': everyone,
  'machine.associate': groupAdminsUp,
  /** Lets a known machine associate with the PIN alone for a day. */
  'machine.reassociate': groupAdminsUp,
  /** What people say of it, the group and client it belongs to, and whether it is hidden. */
  'machine.write': groupAdminsUp,
  'machine.reset': ['superAdmin', 'merchantAdmin'],
  'machine.delete': ['superAdmin', 'merchantAdmin'],
  'alarm.read': everyone,
  'alarm.write': everyone,
  'transaction.read': everyone,
  'audit.read': everyone,
  'config.read': everyone,
  'config.write': groupAdminsUp,
  'note.read': everyone,
  'note.write': everyone,
  'remoteCommand.read': everyone,
  'remoteCommand.write': groupAdminsUp,
  'group.read': everyone,
  'group.write': groupAdminsUp,
  /** Who has a group among theirs. */
  'group.people': ['superAdmin', 'merchantAdmin'],
  'client.read': everyone,
  /** Also assigns machines of the user's own groups to clients. */
  'client.write': everyone,
  /** People of one's merchants. */
  'user.read': ['superAdmin', 'merchantAdmin'],
  'user.write': ['superAdmin', 'merchantAdmin'],
  /** People of all merchants and of none, also those whom merchants are not shown. */
  'user.readAll': superAdminOnly,
  /** The service manager, for those whom the provider lets in. */
  'license.write': ['superAdmin', 'merchantAdmin', 'merchantUser'],
  'merchant.read': everyone,
  /** Every merchant of the deployment, assigned or not. */
  'merchant.readAll': superAdminOnly,
  'merchant.admin': superAdminOnly,
  /** What a merchant's own admins set, its alarms' handling and its tokens with it. */
  'settings.read': ['superAdmin', 'merchantAdmin'],
  'settings.write': ['superAdmin', 'merchantAdmin'],
  /** Who changed what. */
  'changeLog.read': ['superAdmin', 'merchantAdmin'],
  'providerLog.read': superAdminOnly,
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
  'sensor.read': superAdminOnly,
  /** From when on sensors are dirty, at all merchants. */
  'sensor.write': superAdminOnly,
  /** What all merchants read about an alarm. */
  'troubleshooting.write': superAdminOnly,
  /** Figures of the whole deployment. */
  'stats.read': superAdminOnly,
  'demo.control': superAdminOnly,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof access

/** Whether a role holds a permission. */
export const roleMay = (role: Role, permission: Permission): boolean =>
  (access[permission] as readonly Role[]).includes(role)

/** Who holds a permission. */
export const rolesThatMay = (permission: Permission): readonly Role[] => access[permission]
