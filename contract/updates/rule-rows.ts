import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { paged, pageOf } from '../frame/shapes.ts'
import { ControlRollout, Rollout, RolloutMachine, rolloutMachineQuery } from './rollout.ts'
import { featureOfRule, type RuleKind } from './rollout-kind.ts'
import { ruleColumns, ruleFaults, ruleFilters, ruleOrds, ruleTargetFaults } from './update-rule.ts'

const RuleFilters = z.strictObject(ruleFilters)
/** What files of both kinds share. */
export const exportedRules = { filters: RuleFilters, ords: ruleOrds, columns: ruleColumns } as const

/** What a kind of rule brings, in its list's summary, and the errors about it. */
const bringsOf = {
  firmware: { what: 'a firmware version', fails: ['FirmwareNotFound'] },
  cashDatabase: { what: 'a cash database', fails: ['CashDatabaseNotFound', 'UpdateNotForMachine'] },
} as const

/** The rows of rules of a kind, and of their rollouts, below a path. `fields` and `presented` are its schemas. */
export function ruleRowsOf<
  K extends RuleKind,
  Path extends string,
  Fields extends z.ZodRawShape,
  Shown extends z.ZodType,
>(kind: K, many: Path, { fields, presented }: { fields: z.ZodObject<Fields>; presented: Shown }) {
  const one = `${many}/{${kind}RuleId}` as const
  const feature = featureOfRule[kind]
  const { what, fails } = bringsOf[kind]
  const noun = kind === 'firmware' ? 'FirmwareRule' : 'CashDatabaseRule'
  const topic = `${kind}Rule` as const
  const read = { needs: `${kind}Rule.read`, feature } as const
  const write = { needs: `${kind}Rule.write`, feature } as const
  const missing = `${noun}NotFound` as const
  // Cast: the compiler does not see the id in the path of a kind that it does not know.
  const finds = [`${kind}RuleId`] as const as never
  const ofRollout = [topic, 'command', 'machine'] as const
  return {
    list: endpoint({
      ...read,
      method: 'GET',
      path: many,
      summary: `List rules of ${what} with their rollouts`,
      topics: [topic],
      query: RuleFilters.extend(paged(ruleOrds)),
      ok: pageOf(presented),
    }),
    get: endpoint({
      ...read,
      method: 'GET',
      path: one,
      summary: 'Get a rule',
      topics: [topic],
      ok: presented,
      fails: [missing],
    }),
    create: endpoint({
      ...write,
      method: 'POST',
      path: many,
      summary: 'Create a rule; its rollout is started separately',
      body: fields,
      ok: presented,
      status: 201,
      fails: ['MerchantNotSelected', `${noun}AlreadyExists`, ...fails, ...ruleTargetFaults, ...ruleFaults],
      timeOut: 'large',
    }),
    update: endpoint({
      ...write,
      method: 'PUT',
      path: one,
      summary: 'Update a rule; after its start the version stays',
      body: editOf(fields),
      ok: presented,
      fails: [
        missing,
        `${noun}AlreadyExists`,
        ...fails,
        'RolloutStarted',
        'EditConflict',
        ...ruleTargetFaults,
        ...ruleFaults,
      ],
      timeOut: 'large',
    }),
    delete: endpoint({
      ...write,
      method: 'DELETE',
      path: one,
      summary: 'Delete a rule whose rollout is not under way',
      fails: [missing, `${noun}InUse`, 'RuleOfOtherGroups'],
    }),
    rollout: endpoint({
      ...read,
      method: 'GET',
      path: `${one}/rollout` as const,
      summary: 'Get a rollout: cohorts, machines by state, next steps, history',
      finds,
      topics: ofRollout,
      ok: Rollout,
      fails: [missing],
    }),
    machines: endpoint({
      ...read,
      method: 'GET',
      path: `${one}/rollout/pos` as const,
      summary: 'List machines of a rollout with their states and reasons',
      finds,
      topics: ofRollout,
      query: rolloutMachineQuery,
      ok: pageOf(RolloutMachine),
      fails: [missing],
    }),
    control: endpoint({
      ...write,
      method: 'PUT',
      path: `${one}/rollout` as const,
      summary:
        'Change the state of a rollout: start, pause, resume, halt, end, retry failed machines, or return to the version before',
      finds,
      body: ControlRollout,
      ok: Rollout,
      fails: [
        missing,
        'RolloutNotPossible',
        'RuleContradicts',
        'UpdateFileMissing',
        'UpdateNotForTargets',
        'RuleOfOtherGroups',
      ],
      timeOut: 'large',
    }),
  }
}
