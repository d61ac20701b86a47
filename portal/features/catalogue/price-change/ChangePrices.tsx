import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { priceChanges } from '#contract/catalogue/price-change.ts'
import { call, useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf, type Search } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { DeviceStep } from '#portal/features/commands/remote-command/wizard/DeviceStep.tsx'
import {
  type MachineSelection,
  useMachineSelection,
} from '#portal/features/commands/remote-command/wizard/useMachineSelection.ts'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { Wizard } from '#portal/ui/page/Wizard.tsx'
import { ChangeResult, type PriceChangeResult } from './ChangeResult.tsx'
import { PreviewStep } from './PreviewStep.tsx'
import { emptyDraft, isDayAhead, isScoped, orderOf, type PriceDraft, ruleKinds } from './priceDraft.ts'
import { RuleStep } from './RuleStep.tsx'
import { ScopeFields } from './ScopeFields.tsx'

/** The rule of a link. */
const draftOf = (search: Search): PriceDraft => ({
  ...emptyDraft,
  kind: ruleKinds.find((kind) => kind === oneOf(search, 'rule')),
})

/** The order of a draft: what it concerns, its preview, and its sending. */
function usePriceOrder(draft: PriceDraft, machineSelection: MachineSelection) {
  const { id: merchantId } = useMerchant()
  const search = useAddressQuery()
  const [isAgain, setAgain] = useState(false)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const send = useCommand(priceChanges.changePrices, { isQuiet: true })
  const { machines, selection } = machineSelection
  const currencies = useMemo(() => [...new Set(machines.map(({ currency }) => currency))], [machines])
  const zones = useMemo(() => [...new Set(machines.map(({ timeZone }) => timeZone))], [machines])
  const currency = currencies.length === 1 ? currencies[0] : undefined
  const order = orderOf(draft, selection)
  const startsOn = draft.when === 'later' ? draft.day : null
  const params = { merchantId }
  const isWhole = 'ids' in selection
  const isShown = oneOf(search, 'step') === 'preview'
  const preview = useQuery({
    queryKey: ['pricePreview', merchantId, order],
    enabled: isShown && order !== undefined && currency !== undefined,
    // Prices may change meanwhile; each visit of the step previews again.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call(priceChanges.previewPriceChange, { params, body: order as NonNullable<typeof order>, isWhole }, signal),
  })
  const unusualDigest = preview.data?.unusualDigest ?? null
  /** Sends the order as previewed; undefined if it has changed meanwhile. */
  const submit = async (): Promise<PriceChangeResult | undefined> => {
    if (!order || !preview.data) return undefined
    try {
      const planName = startsOn === null ? null : draft.planName.trim() || null
      const body = { ...order, digest: preview.data.digest, confirmed, planName, send: draft.send }
      return await send.mutateAsync({ params, body, isWhole })
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'SelectionChanged') await machineSelection.refresh()
      if (code === 'PricesChanged' || code === 'PricesUnusual' || code === 'SelectionChanged') {
        setAgain(true)
        await preview.refetch()
      }
      toast.error(error)
      return undefined
    }
  }
  return {
    machines,
    currencies,
    currency,
    zones,
    order,
    startsOn,
    preview,
    isAgain,
    submit,
    isSending: send.isPending,
    /** Unusual prices must be confirmed. */
    isReady: !preview.isFetching && (unusualDigest === null || confirmed === unusualDigest),
    isConfirmed: unusualDigest !== null && confirmed === unusualDigest,
    confirm: (isOn: boolean) => setConfirmed(isOn ? unusualDigest : null),
  }
}

/** The wizard: machines and scope, the rule, the preview; then the result. */
export function ChangePrices() {
  const { t } = useTranslation('price-change')
  const format = useFormat()
  const go = useGo()
  const search = useAddressQuery()
  const machineSelection = useMachineSelection()
  const [draft, setDraft] = useKeptState('prices', () => draftOf(search))
  const [result, setResult] = useState<{ changed: PriceChangeResult; startsOn: string | null }>()
  const change = (part: Partial<PriceDraft>) => setDraft((before) => ({ ...before, ...part }))
  const priceOrder = usePriceOrder(draft, machineSelection)
  const { machines, currencies, currency, zones, order, startsOn, preview } = priceOrder
  const finish = async () => {
    const changed = await priceOrder.submit()
    if (!changed) return
    setResult({ changed, startsOn })
    void go({ to: '.' }, { replace: true })
  }

  if (result) {
    const again = () => {
      setResult(undefined)
      setDraft(emptyDraft)
      machineSelection.clear()
    }
    return <ChangeResult result={result.changed} startsOn={result.startsOn} again={again} />
  }
  const { changed = 0, machines: touched = 0 } = preview.data ?? {}
  return (
    <Wizard
      steps={[
        {
          key: 'machines',
          name: t('step.machines'),
          isComplete: machines.length > 0 && currency !== undefined && isScoped(draft),
          content: (
            <Stack gap="wide">
              <DeviceStep machineSelection={machineSelection} />
              {currencies.length > 1 && (
                <Note role="alert" tone="warn" bdrs="inner">
                  {t('errors:PriceCurrenciesDiffer')}
                </Note>
              )}
              <ScopeFields draft={draft} change={change} />
            </Stack>
          ),
        },
        {
          key: 'rule',
          name: t('step.rule'),
          isComplete: order !== undefined && isDayAhead(draft, zones),
          content: <RuleStep draft={draft} change={change} currency={currency} zones={zones} />,
        },
        {
          key: 'preview',
          name: t('step.preview'),
          isComplete: changed > 0 && priceOrder.isReady,
          content: (
            <PreviewStep
              preview={preview.data}
              error={preview.error}
              retry={preview.refetch}
              isAgain={priceOrder.isAgain}
              startsOn={startsOn}
              send={draft.send}
              isConfirmed={priceOrder.isConfirmed}
              confirm={priceOrder.confirm}
            />
          ),
        },
      ]}
      finish={() => void finish()}
      finishName={
        changed === 0
          ? t('do')
          : t('doMany', {
              prices: t('preview.prices', { count: changed, number: format.number(changed) }),
              machines: t('preview.machines', { count: touched, number: format.number(touched) }),
            })
      }
      isFinishing={priceOrder.isSending}
    />
  )
}
