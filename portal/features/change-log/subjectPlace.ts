import type { ChangeLogEntry } from '#contract/change-log.ts'
import type { ProviderChange } from '#contract/provider-log.ts'
import type { Place } from '../../ui/list/types.ts'
import { settingPlace } from '../alarm-setting/settingPlace.ts'

const pages: Record<string, [to: string, param: string]> = {
  machine: ['/devices/$posId', 'posId'],
  group: ['/manage/groups/$groupId', 'groupId'],
  client: ['/manage/clients/$clientId', 'clientId'],
  user: ['/manage/users/$userId', 'userId'],
}
const settings: Record<string, string> = {
  merchantSettings: '/manage/merchant-settings',
  apiToken: '/manage/merchant-settings',
}

/** Where the subject of a change is found; nothing where it is no more, or has no page. */
export function subjectPlace({
  subjectType,
  subjectId,
  subjectName,
  merchantId,
}: Pick<ChangeLogEntry, 'subjectType' | 'subjectId' | 'subjectName' | 'merchantId'>): Place | undefined {
  const search = { merchant: merchantId }
  if (subjectType === 'alarmSetting') return { ...settingPlace(subjectId), search }
  const own = settings[subjectType]
  if (own) return { to: own, search }
  const page = pages[subjectType]
  return page && subjectName !== null ? { to: page[0], params: { [page[1]]: subjectId }, search } : undefined
}

/** The same of what is no merchant's. */
export function providersPlace({ subjectType, subjectId, subjectName }: ProviderChange): Place | undefined {
  if (subjectType === 'user')
    return subjectName === null ? undefined : { to: '/admin/users/$userId', params: { userId: subjectId } }
  if (subjectType === 'troubleshootingText')
    return { to: '/admin/troubleshooting-alarm/$code', params: { code: subjectId } }
  if (subjectType === 'sensorThreshold') return { to: '/admin/sensors-thresholds-configuration' }
  return subjectType === 'deadLetter' ? { to: '/admin/dead-letters', search: { letter: subjectId } } : undefined
}
