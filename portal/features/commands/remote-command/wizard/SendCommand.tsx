import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { remoteCommands, type SendOutcome } from '#contract/commands/remote-command.ts'
import { useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { Wizard } from '#portal/ui/page/Wizard.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { Outcome } from '../Outcome.tsx'
import { graveCommands, readRefused } from '../sending.ts'
import { CommandStep } from './CommandStep.tsx'
import { type Draft, emptyDraft, orderOf, timingOf } from './commandOrder.ts'
import { DeviceStep } from './DeviceStep.tsx'
import { SummaryStep } from './SummaryStep.tsx'
import { useDowngrade } from './useDowngrade.tsx'
import { type MachineSelection, useMachineSelection } from './useMachineSelection.ts'
import { useUnusualPrices } from './useUnusualPrices.tsx'
import { WhenStep } from './WhenStep.tsx'

type Result = Omit<SendOutcome, 'orderId'> & { orderId?: string }

/** The order of a draft for the selected machines, and its sending after what is to be confirmed. */
function useCommandOrder(draft: Draft, machineSelection: MachineSelection) {
  const { id: merchantId } = useMerchant()
  const now = useNow()
  const send = useCommand(remoteCommands.sendRemoteCommand, { isQuiet: true })
  const guard = useUnusualPrices()
  const downgrade = useDowngrade()
  const { machines } = machineSelection
  const currencies = useMemo(() => [...new Set(machines.map(({ currency }) => currency))], [machines])
  const zones = useMemo(() => [...new Set(machines.map((machine) => machine.timeZone))], [machines])
  const currency = currencies.length === 1 ? currencies[0] : undefined
  const timing = timingOf(draft, zones, now)
  const someTime = { kind: 'instant', start: undefined, expires: now } as const

  const submit = async (): Promise<{ type: number; result: Result } | undefined> => {
    const fresh = timingOf(draft, zones, new Date())
    const order = typeof fresh === 'string' ? undefined : orderOf(draft, currency, fresh)
    if (!order) return undefined
    const sendNow = (confirmed: string | null) =>
      downgrade.send((allowDowngrade) => {
        const { selection: machines } = machineSelection
        const body = { machines, order, confirmed, allowDowngrade }
        return send.mutateAsync({ params: { merchantId }, body, isWhole: 'ids' in machines })
      })
    try {
      const result = await guard.send(sendNow, currency)
      return result && { type: order.type, result }
    } catch (error) {
      // The summary shows how many match now, and is confirmed again.
      if (error instanceof ApiError && error.code === 'SelectionChanged') await machineSelection.refresh()
      const refused = error instanceof ApiError ? readRefused(error) : []
      if (refused.length > 0) return { type: order.type, result: { sent: [], refused } }
      toast.error(error)
      return undefined
    }
  }
  return {
    currencies,
    zones,
    currency,
    timing,
    isCommandWhole: orderOf(draft, currency, someTime) !== undefined,
    submit,
    isSending: send.isPending,
    dialogs: (
      <>
        {guard.dialog}
        {downgrade.dialog}
      </>
    ),
  }
}

/** The wizard: device, command, when, summary; then the results, machine by machine. */
export function SendCommand({ showHistory }: { showHistory: (orderId?: string) => void }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const go = useGo()
  const machineSelection = useMachineSelection()
  const [draft, setDraft] = useKeptState<Draft>('command', emptyDraft)
  const [outcome, setOutcome] = useState<{ type: number; result: Result }>()
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const commandOrder = useCommandOrder(draft, machineSelection)
  const { currencies, zones, currency, timing } = commandOrder
  const { machines } = machineSelection
  const finish = async () => {
    const next = await commandOrder.submit()
    if (!next) return
    setOutcome(next)
    void go({ to: '.' }, { replace: true })
  }

  if (outcome) {
    const again = () => {
      setOutcome(undefined)
      setDraft(emptyDraft)
      machineSelection.clear()
    }
    return <Outcome type={outcome.type} outcome={outcome.result} again={again} showHistory={showHistory} />
  }
  const count = machines.length
  const planned = typeof timing === 'string' ? undefined : orderOf(draft, currency, timing)
  return (
    <>
      <Wizard
        steps={[
          {
            key: 'device',
            name: t('step.device'),
            isComplete: count > 0,
            content: <DeviceStep machineSelection={machineSelection} />,
          },
          {
            key: 'command',
            name: t('step.command'),
            isComplete: commandOrder.isCommandWhole,
            content: <CommandStep draft={draft} change={change} currenciesUsed={currencies} />,
          },
          {
            key: 'when',
            name: t('step.when'),
            isComplete: typeof timing !== 'string',
            content: <WhenStep draft={draft} change={change} zones={zones} timing={timing} />,
          },
          {
            key: 'summary',
            name: t('step.summary'),
            isComplete: true,
            content: planned && typeof timing !== 'string' && (
              <SummaryStep order={planned} machines={machines} currency={currency} timing={timing} zones={zones} />
            ),
          },
        ]}
        finish={() => void finish()}
        finishName={t('send', { count, number: format.number(count) })}
        isFinishing={commandOrder.isSending}
        isDanger={graveCommands.includes(draft.type ?? 0)}
      />
      {commandOrder.dialogs}
    </>
  )
}
