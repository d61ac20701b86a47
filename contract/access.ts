import { endCustomer, type Holder, type Role, roles, wallDisplay } from './vocabulary/roles.ts'

const everyone = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
const groupAdminsUp = ['superAdmin', 'merchantAdmin', 'groupAdmin'] as const
const superAdminOnly = ['superAdmin'] as const

/** Roles and permissions: the only table that names roles. Routes, endpoints and the menu read it. */
export const access = {
  'dashboard.read': everyone,
  'machine.read': everyone,
  'machine.associate': groupAdminsUp,
  /** Allows a known machine to associate with the PIN alone for a day. */
  'machine.reassociate': groupAdminsUp,
  /** Its editable fields, its group and client, and whether it is hidden. */
  'machine.write': groupAdminsUp,
  'machine.reset': ['superAdmin', 'merchantAdmin'],
  'machine.delete': ['superAdmin', 'merchantAdmin'],
  'alarm.read': everyone,
  'alarm.write': everyone,
  'transaction.read': everyone,
  'audit.read': everyone,
  /** Stores audit files of other systems. */
  'audit.upload': groupAdminsUp,
  'collection.read': everyone,
  /** Enters what the counting room found in a bag, and disputes it. */
  'collection.count': everyone,
  /** Closes disputed collections, and reopens closed ones. */
  'collection.close': groupAdminsUp,
  /** Money that is taken to the bank: a slip has collections of all groups. */
  'deposit.read': ['superAdmin', 'merchantAdmin'],
  'deposit.write': ['superAdmin', 'merchantAdmin'],
  /** Sees what machines report of their cash boxes at a merchant that counts blind. Its count of a collection is not a blind one. */
  'cashBox.read': ['superAdmin', 'merchantAdmin'],
  /** Media: keys, cards, app accounts. */
  'media.read': everyone,
  /** Registers, blocks and replaces media. */
  'media.write': everyone,
  /** Holders of media, with their consents. */
  'customer.read': groupAdminsUp,
  'customer.write': groupAdminsUp,
  /** Books or refuses a recharge above a limit. */
  'keptRecharge.write': ['superAdmin', 'merchantAdmin'],
  'refund.read': everyone,
  'refund.write': everyone,
  'webPaymentOrder.read': everyone,
  /** Creates recharge links. */
  'webPaymentOrder.write': everyone,
  /** The payment services that all merchants are offered. */
  'webPaymentService.read': superAdminOnly,
  'webPaymentService.write': superAdminOnly,
  'config.read': everyone,
  'config.write': groupAdminsUp,
  'note.read': everyone,
  'note.write': everyone,
  'product.read': groupAdminsUp,
  'product.write': groupAdminsUp,
  'planogram.read': groupAdminsUp,
  'planogram.write': groupAdminsUp,
  /** Everyone who sees a machine sees its prices. */
  'price.write': groupAdminsUp,
  /** Planning rounds; a user who sees a machine may also visit it. */
  'round.read': everyone,
  'round.write': groupAdminsUp,
  /** Routes are of the whole merchant: a group's admin plans rounds from them. */
  'route.read': everyone,
  'route.write': ['superAdmin', 'merchantAdmin'],
  'visit.write': everyone,
  /** Books change that drivers get for a round and bring back. */
  'changeFund.write': groupAdminsUp,
  /** Books refills, waste and counts of managed machines. */
  'stock.write': groupAdminsUp,
  /** Warehouses and vans with their pieces: who drives sees the van. */
  'stockPlace.read': everyone,
  'stockPlace.write': ['superAdmin', 'merchantAdmin'],
  /** Books deliveries, transfers, waste and counts at warehouses and vans. */
  'pieces.write': groupAdminsUp,
  'noVendProfile.read': groupAdminsUp,
  'noVendProfile.write': groupAdminsUp,
  /** Configurations of the visual programmer. */
  'vpConfiguration.read': groupAdminsUp,
  'vpConfiguration.write': groupAdminsUp,
  /** Screen configurations, the whitelist and the storage. */
  'screen.read': ['superAdmin', 'merchantAdmin'],
  'screen.write': ['superAdmin', 'merchantAdmin'],
  'remoteCommand.read': everyone,
  'remoteCommand.write': groupAdminsUp,
  'firmware.read': groupAdminsUp,
  'firmware.write': superAdminOnly,
  'cashDatabase.read': groupAdminsUp,
  'cashDatabase.write': groupAdminsUp,
  'firmwareRule.read': groupAdminsUp,
  /** Also starts, pauses and resumes its rollout. */
  'firmwareRule.write': groupAdminsUp,
  'cashDatabaseRule.read': groupAdminsUp,
  'cashDatabaseRule.write': groupAdminsUp,
  'group.read': everyone,
  'group.write': groupAdminsUp,
  /** The users assigned to a group. */
  'group.people': ['superAdmin', 'merchantAdmin'],
  'client.read': everyone,
  /** Also assigns machines of the user's own groups to clients. */
  'client.write': everyone,
  /** Users of one's merchants. */
  'user.read': ['superAdmin', 'merchantAdmin'],
  'user.write': ['superAdmin', 'merchantAdmin'],
  /** Users and groups of a merchant by its directory (SCIM): for API tokens. */
  'user.provision': ['superAdmin', 'merchantAdmin'],
  /** All users, including those without a merchant and those hidden from merchants. */
  'user.readAll': superAdminOnly,
  /** The service manager, for users with the provider's permission. */
  'license.write': ['superAdmin', 'merchantAdmin', 'merchantUser'],
  'merchant.read': everyone,
  /** Every merchant of the deployment, assigned or not. */
  'merchant.readAll': superAdminOnly,
  'merchant.admin': superAdminOnly,
  /** A merchant's settings, including its alarm settings and tokens. */
  'settings.read': ['superAdmin', 'merchantAdmin'],
  'settings.write': ['superAdmin', 'merchantAdmin'],
  /** The change log. */
  'changeLog.read': ['superAdmin', 'merchantAdmin'],
  'providerLog.read': superAdminOnly,
  'profile.read': everyone,
  'profile.write': everyone,
  'live.read': everyone,
  /** Beside it, the permission of the list. */
  'export.create': everyone,
  /** Beside it, the permissions of what the file brings. */
  'import.create': everyone,
  /** Historical data of a merchant as files. */
  'dataRetrieval.read': ['superAdmin', 'merchantAdmin'],
  'dataRetrieval.write': ['superAdmin', 'merchantAdmin'],
  'tableState.read': everyone,
  'tableState.write': everyone,
  'report.read': everyone,
  /** Saves reports, and has them mailed. */
  'report.write': everyone,
  /** Reports that others share. */
  'report.manage': ['superAdmin', 'merchantAdmin'],
  'view.read': everyone,
  'view.write': everyone,
  /** Views that others share. */
  'view.manage': ['superAdmin', 'merchantAdmin'],
  /** The customers' portal of a merchant: name, colors, logos, texts. */
  'portalSettings.read': superAdminOnly,
  'portalSettings.write': superAdminOnly,
  /** The portal as customers will see it. */
  'portalPreview.read': ['superAdmin', 'merchantAdmin'],
  /** The blog of all customers' portals. */
  'blogPost.read': superAdminOnly,
  'blogPost.write': superAdminOnly,
  'deadLetter.read': superAdminOnly,
  'deadLetter.write': superAdminOnly,
  'sensor.read': superAdminOnly,
  /** From when on sensors are dirty, at all merchants. */
  'sensor.write': superAdminOnly,
  /** Troubleshooting texts for all merchants. */
  'troubleshooting.write': superAdminOnly,
  /** Figures of the whole deployment. */
  'stats.read': superAdminOnly,
  'demo.control': superAdminOnly,
  /** One's own data as an end customer, and nothing else (`customerEndpoint`). */
  'customer.self': [endCustomer],
  /** The figures that a wall display shows, and nothing else (`kioskEndpoint`). */
  'kiosk.self': [wallDisplay],
} as const satisfies Record<string, readonly Holder[]>

export type Permission = keyof typeof access

/** Whether a role holds a permission. */
export const roleMay = (role: Role, permission: Permission): boolean =>
  (access[permission] as readonly Holder[]).includes(role)

/** The staff roles that hold a permission. */
export const rolesThatMay = (permission: Permission): readonly Role[] =>
  roles.filter((role) => roleMay(role, permission))
