/**
 * Records that people create, edit and delete in one way (`editable` on the server). Of each the change log names what was done to it,
 * and a live hint refreshes the screens that show it.
 */
export const recordNouns = ['group', 'client', 'sapCode'] as const
export type RecordNoun = (typeof recordNouns)[number]

const verbs = ['create', 'update', 'delete'] as const
type RecordAction = `${RecordNoun}.${(typeof verbs)[number]}`
const recordActions: readonly RecordAction[] = recordNouns.flatMap((noun) =>
  verbs.map((verb) => `${noun}.${verb}` as const),
)

/** What people change, as the log names it. */
export const changeSubjects = [
  ...recordNouns,
  'machine',
  'user',
  'alarm',
  'alarmSetting',
  'merchantSettings',
  'apiToken',
  'merchant',
  'superAdminSettings',
  'customConfiguration',
  'remoteCommand',
  'note',
  'view',
  'troubleshootingText',
  'sensorThreshold',
  'deadLetter',
] as const

/** What they do to it: every action that is written into the log. */
export const changeActions = [
  ...recordActions,
  'machine.associate',
  'machine.reassociate',
  'machine.allowReassociation',
  'machine.update',
  'machine.hide',
  'machine.unhide',
  'machine.reset',
  'machine.delete',
  'machine.manageStock',
  'user.create',
  'user.update',
  'user.delete',
  'alarm.repair',
  'alarm.reopen',
  'alarm.delete',
  'alarmSetting.update',
  'merchantSettings.update',
  'apiToken.create',
  'apiToken.rotate',
  'apiToken.revoke',
  'merchant.create',
  'merchant.update',
  'merchant.features',
  'customConfiguration.update',
  'customConfiguration.send',
  'remoteCommand.send',
  'remoteCommand.cancel',
  'note.create',
  'note.delete',
  'view.create',
  'view.update',
  'view.delete',
  'troubleshootingText.update',
  'sensorThreshold.update',
  'deadLetter.replay',
] as const
