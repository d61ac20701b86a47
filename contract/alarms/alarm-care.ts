import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Text } from '../frame/shapes.ts'
import { Role } from '../vocabulary/roles.ts'
import { Alarm, AlarmComment, alarmFails } from './alarm.ts'

/** How long an acknowledgement may last, in minutes. */
export const acknowledgement = { leastMinutes: 5, mostMinutes: 30 * 24 * 60 } as const
export const Acknowledge = z.strictObject({
  /** Null takes the acknowledgement back. */
  minutes: z.int().min(acknowledgement.leastMinutes).max(acknowledgement.mostMinutes).nullable(),
})
export type Acknowledge = z.infer<typeof Acknowledge>

export const AssignAlarm = z.strictObject({
  /** Null removes the assignee. */
  userId: ids.userId.nullable(),
  /** Sends the user a link to the alarm, with the note. */
  mail: z.boolean().default(false),
  note: Text.trim().max(500).optional(),
})
export type AssignAlarm = z.input<typeof AssignAlarm>

/** The client generates `id` (UUIDv7), so that a call repeated after a lost answer does not double the comment. */
export const NewAlarmComment = z.strictObject({ id: z.uuidv7().optional(), text: Text.trim().min(1).max(2000) })

/** A user who may take care of an alarm. */
export const AlarmAssignee = z.strictObject({ id: z.uuid(), name: z.string(), role: Role })
export type AlarmAssignee = z.infer<typeof AlarmAssignee>

const one = '/merchants/{merchantId}/pos/{posId}/alarms/{alarmId}'

export const alarmCare = {
  acknowledgeAlarm: endpoint({
    method: 'PUT',
    path: `${one}/acknowledgement`,
    summary: 'Acknowledge an open alarm for some time: until then it sends no reminders',
    needs: 'alarm.write',
    body: Acknowledge,
    ok: Alarm,
    fails: [...alarmFails, 'AlarmAlreadyRepaired'],
  }),
  assignAlarm: endpoint({
    method: 'PUT',
    path: `${one}/assignee`,
    summary: 'Assign an open alarm to a user, and send it by mail if wanted',
    needs: 'alarm.write',
    body: AssignAlarm,
    ok: Alarm,
    fails: [...alarmFails, 'AlarmAlreadyRepaired', 'UserNotFound'],
  }),
  commentAlarm: endpoint({
    method: 'POST',
    path: `${one}/comments`,
    summary: 'Comment on an alarm',
    needs: 'alarm.write',
    body: NewAlarmComment,
    ok: AlarmComment,
    status: 201,
    fails: [...alarmFails, 'NoteIdTaken'],
  }),
  listAlarmAssignees: endpoint({
    method: 'GET',
    path: `${one}/assignees`,
    summary: 'List users who may take care of an alarm',
    needs: 'alarm.write',
    ok: z.array(AlarmAssignee),
    fails: alarmFails,
  }),
}
