import { posix } from 'node:path'
import { isTest, type Source } from './sources.ts'

/** The areas of the product, in the field's words. They have the same names on each floor. */
export const areas = [
  'machines',
  'sales',
  'alarms',
  'commands',
  'audits',
  'catalogue',
  'stock',
  'cash',
  'cashless',
  'configurations',
  'updates',
  'licences',
  'merchants',
  'people',
  'insight',
  'key-portal',
  'platform',
] as const
type Area = (typeof areas)[number]

/** Folders whose sub-folders are areas. */
const floors = ['contract', 'domain', 'database', 'server/api', 'portal/features']

/** The files by which an area lets the others of its floor know it. */
export const doors: ReadonlySet<string> = new Set([
  'contract/configurations/vp-document.ts',
  'contract/cashless/media-acts.ts',
  'contract/cashless/web-payment-config.ts',
  'contract/cashless/web-payment-order.ts',
  'contract/catalogue/no-vend-profile.ts',
  'contract/machines/assigned-machine.ts',
  'contract/machines/machine-acts.ts',
  'contract/machines/machine-state.ts',
  'contract/machines/machine.ts',
  'contract/sales/terms.ts',
  'contract/sales/transaction.ts',
  'contract/updates/rollout-kind.ts',
  'contract/people/user.ts',
  'database/alarms/alarm-repair.ts',
  'database/alarms/alarm-rule.ts',
  'database/alarms/alarm.ts',
  'database/audits/compared-audits.ts',
  'database/cash/collection-figures.ts',
  'database/cashless/media-acts.ts',
  'database/cashless/refund.ts',
  'database/cashless/reservation.ts',
  'database/cashless/web-payment-order.ts',
  'database/catalogue/no-vend-sync.ts',
  'database/catalogue/price-sight.ts',
  'database/commands/sent-price.ts',
  'database/commands/remote-command.ts',
  'database/configurations/vp-forget.ts',
  'database/alarms/mcbf.ts',
  'database/machines/machine.ts',
  'database/merchants/merchant-limit.ts',
  'database/merchants/merchant.ts',
  'database/platform/change-log.ts',
  'database/platform/provider-log.ts',
  'database/platform/staff-letter.ts',
  'database/sales/former-terms.ts',
  'database/sales/money-of-sale.ts',
  'database/sales/first-day.ts',
  'database/sales/regroup.ts',
  'database/sales/sales.ts',
  'database/sales/sales-to-date.ts',
  'database/sales/summed-sales.ts',
  'database/sales/terms-of-day.ts',
  'database/stock/manage.ts',
  'database/stock/round-stop.ts',
  'database/stock/visits/visit-collection.ts',
  'database/stock/visits/visit-pieces.ts',
  'domain/audits/eva-dts/event-codes.ts',
  'domain/commands/command-window.ts',
  'domain/machines/serial.ts',
  'domain/sales/margin.ts',
  'domain/sales/paid-with.ts',
  'domain/sales/sale.ts',
  'domain/cash/cash-box.ts',
  'domain/stock/stock.ts',
  'portal/features/alarms/alarm-setting/settingPlace.ts',
  'portal/features/alarms/alarm-setting/useSettingWords.ts',
  'portal/features/alarms/alarm/alarmFilters.ts',
  'portal/features/alarms/alarm/alarmName.ts',
  'portal/features/alarms/alarm/useAlarmActs.tsx',
  'portal/features/alarms/troubleshooting/useHasGuide.ts',
  'portal/features/audits/audit/AuditNowButton.tsx',
  'portal/features/audits/audit/useReading.ts',
  'portal/features/catalogue/no-vend-profile/NoVendChoice.tsx',
  'portal/features/catalogue/no-vend-profile/NoVendFact.tsx',
  'portal/features/catalogue/no-vend-profile/useNoVendFilter.ts',
  'portal/features/catalogue/planogram/PlanogramChoice.tsx',
  'portal/features/catalogue/planogram/usePriceOffer.tsx',
  'portal/features/catalogue/planogram/PlanogramFact.tsx',
  'portal/features/catalogue/planogram/lines/useProductChoices.ts',
  'portal/features/catalogue/planogram/lines/useThumbnails.ts',
  'portal/features/catalogue/planogram/usePlanogramFilter.ts',
  'portal/features/catalogue/price/PricesFact.tsx',
  'portal/features/commands/remote-command/CommandButtons.tsx',
  'portal/features/commands/remote-command/commandNames.ts',
  'portal/features/commands/remote-command/wizard/DeviceStep.tsx',
  'portal/features/commands/remote-command/wizard/useMachineSelection.ts',
  'portal/features/insight/report/RefundGlossary.tsx',
  'portal/features/machines/machine/MachinesMap.tsx',
  'portal/features/machines/machine/machineFacts.ts',
  'portal/features/machines/machine/places.ts',
  'portal/features/machines/machine/useMachine.ts',
  'portal/features/machines/machine/useMachineFilters.ts',
  'portal/features/merchants/client/useClientFilter.ts',
  'portal/features/merchants/first-steps/FirstStepsCard.tsx',
  'portal/features/merchants/group/GroupSelect.tsx',
  'portal/features/merchants/group/useGroupChoices.ts',
  'portal/features/merchants/group/useGroupOptions.ts',
  'portal/features/merchants/settings/useScopeName.ts',
  'portal/features/sales/transaction/TransactionList.tsx',
  'portal/features/sales/transaction/useCodeNames.ts',
  'portal/features/stock/stock/WaresFacts.tsx',
  'server/api/commands/remote-command.ts',
  'server/api/configurations/vp-sending.ts',
  'server/api/cash/refuse-field.ts',
  'server/api/cashless/customer.ts',
  'server/api/cashless/web-payment-config.ts',
  'server/api/machines/assign-many.ts',
  'server/api/machines/machine-edit.ts',
  'server/api/machines/machine-map.ts',
  'server/api/machines/move-machines.ts',
  'server/api/merchants/merchant.ts',
  'server/api/people/user.ts',
  'server/api/platform/live.ts',
  'server/api/sales/present-transaction.ts',
  'contract/updates/halted-rollout.ts',
  'server/api/updates/halted-rollout.ts',
  'portal/features/updates/update-rule/HaltedRolloutLine.tsx',
  'portal/features/updates/update-rule/HaltedRollouts.tsx',
])

/** The floor and the area that a file belongs to; undefined outside of areas. */
export function areaOf(path: string): { floor: string; area: Area } | undefined {
  const floor = floors.find((one) => path.startsWith(`${one}/`))
  const area = areas.find((one) => floor && path.startsWith(`${floor}/${one}/`))
  return floor && area ? { floor, area } : undefined
}

/** Imports of a file from another area of its floor, other than through that area's doors. */
export function areaFaults(source: Source): string[] {
  const own = areaOf(source.path)
  if (!own || isTest(source.path)) return []
  return source.imports.flatMap(({ file }) => {
    const other = file && areaOf(file)
    if (!file || !other || other.floor !== own.floor || other.area === own.area || doors.has(file)) return []
    return [`${source.path} imports ${file}, which is no door of ${other.floor}/${other.area}`]
  })
}

/** Doors that no other area imports, or whose file does not exist. */
export function idleDoors(sources: readonly Source[]): string[] {
  const used = new Set(
    sources.flatMap((source) => {
      const own = areaOf(source.path)
      if (!own || isTest(source.path)) return []
      return source.imports.flatMap(({ file }) =>
        file && areaOf(file)?.floor === own.floor && areaOf(file)?.area !== own.area ? [file] : [],
      )
    }),
  )
  return [...doors].filter((door) => !used.has(door))
}

export const mostFiles = 25

/** Folders with more files of code than one takes in at a glance, each with their number. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (isTest(path)) continue
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => `${folder}: ${count} files`)
}
