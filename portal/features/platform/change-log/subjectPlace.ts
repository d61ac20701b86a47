import type { ChangeLogEntry } from '#contract/platform/change-log.ts'
import type { ProviderChange } from '#contract/platform/provider-log.ts'
import type { Place } from '#portal/app/place.ts'
import { settingPlace } from '#portal/features/alarms/alarm-setting/settingPlace.ts'

const pages: Record<string, [to: string, param: string]> = {
  machine: ['/devices/$posId', 'posId'],
  group: ['/manage/groups/$groupId', 'groupId'],
  product: ['/manage/products/$productId', 'productId'],
  client: ['/manage/clients/$clientId', 'clientId'],
  user: ['/manage/users/$userId', 'userId'],
  vpConfiguration: ['/devices/vp/configurations/$vpConfigurationId', 'vpConfigurationId'],
}
/** For records of a machine: the tab of its page. */
const tabs: Record<string, string> = {
  alarm: 'pos-alarms',
  remoteCommand: 'remote-commands',
  note: 'notes',
  customConfiguration: 'custom-config',
}
const settings: Record<string, string> = {
  merchantSettings: '/manage/merchant-settings',
  apiToken: '/manage/merchant-settings',
  kiosk: '/manage/kiosks',
}

/** Link to the subject of a change; undefined if it is deleted, or has no page. */
export function subjectPlace({
  subjectType,
  subjectId,
  subjectName,
  merchantId,
  posId,
  posName,
}: ChangeLogEntry): Place | undefined {
  // Settings have no record of their own: their address names the merchant.
  const search = { of: merchantId }
  if (subjectType === 'alarmSetting') return { ...settingPlace(subjectId), search }
  const settingsPath = settings[subjectType]
  if (settingsPath) return { to: settingsPath, search }
  const tab = tabs[subjectType]
  if (tab) return posId && posName !== null ? { to: `/devices/$posId/${tab}`, params: { posId } } : undefined
  const page = pages[subjectType]
  return page && subjectName !== null ? { to: page[0], params: { [page[1]]: subjectId } } : undefined
}

/** The same for records of the platform. */
export function providersPlace({ subjectType, subjectId, subjectName }: ProviderChange): Place | undefined {
  if (subjectType === 'user')
    return subjectName === null ? undefined : { to: '/admin/users/$userId', params: { userId: subjectId } }
  if (subjectType === 'troubleshootingText')
    return { to: '/admin/troubleshooting-alarm/$code', params: { code: subjectId } }
  if (subjectType === 'sensorThreshold') return { to: '/admin/sensors-thresholds-configuration' }
  return subjectType === 'deadLetter' ? { to: '/admin/dead-letters', search: { letter: subjectId } } : undefined
}
