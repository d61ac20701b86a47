import type { Endpoints } from '#contract/endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { alarmHandlers } from './alarms/alarm.ts'
import { alarmCareHandlers } from './alarms/alarm-care.ts'
import { alarmSettingHandlers } from './alarms/alarm-setting.ts'
import { masterAlarmHandlers } from './alarms/troubleshooting.ts'
import { auditHandlers } from './audits/audit.ts'
import { auditFileHandlers } from './audits/audit-file.ts'
import { reconciliationHandlers } from './audits/reconciliation.ts'
import { cashTrailHandlers } from './cash/cash-trail.ts'
import { cashCollectionHandlers } from './cash/collection.ts'
import { depositHandlers } from './cash/deposit.ts'
import { machineCashHandlers } from './cash/machine-cash.ts'
import { movementHandlers } from './cash/movement.ts'
import { roundMoneyHandlers } from './cash/round-money.ts'
import { customerHandlers } from './cashless/customer.ts'
import { mediaHandlers } from './cashless/media.ts'
import { mediaActHandlers } from './cashless/media-acts.ts'
import { refundHandlers } from './cashless/refund.ts'
import { webPaymentConfigHandlers } from './cashless/web-payment-config.ts'
import { webPaymentOrderHandlers } from './cashless/web-payment-order.ts'
import { webPaymentServiceHandlers } from './cashless/web-payment-service.ts'
import { noVendAssignmentHandlers } from './catalogue/no-vend-assignment.ts'
import { noVendProfileHandlers } from './catalogue/no-vend-profile.ts'
import { planogramHandlers } from './catalogue/planogram.ts'
import { planogramAssignmentHandlers } from './catalogue/planogram-assignment.ts'
import { priceHandlers } from './catalogue/price.ts'
import { priceChangeHandlers } from './catalogue/price-change.ts'
import { pricePlanHandlers } from './catalogue/price-plan.ts'
import { productHandlers } from './catalogue/product.ts'
import { productChoiceHandlers } from './catalogue/product-choice.ts'
import { productCodeHandlers } from './catalogue/product-code.ts'
import { wrongPriceHandlers } from './catalogue/wrong-price.ts'
import { remoteCommandHandlers } from './commands/remote-command.ts'
import { configurationHandlers } from './configurations/configuration.ts'
import { screenConfigurationHandlers } from './configurations/screen-configuration.ts'
import { screenFileHandlers } from './configurations/screen-file.ts'
import { screenStorageHandlers } from './configurations/screen-storage.ts'
import { screenWhitelistHandlers } from './configurations/screen-whitelist.ts'
import { vpConfigurationHandlers } from './configurations/vp-configuration.ts'
import { importHandlers } from './imports/import.ts'
import { adminStatsHandlers } from './insight/admin-stats.ts'
import { dataRetrievalRequestHandlers } from './insight/data-retrieval-request.ts'
import { distributorKpiHandlers } from './insight/distributor-kpis.ts'
import { kpiHandlers } from './insight/kpi.ts'
import { machinesReportHandlers } from './insight/machines-report.ts'
import { reportHandlers } from './insight/report.ts'
import { blogPostHandlers } from './key-portal/blog-post.ts'
import { claimHandlers } from './key-portal/claim.ts'
import { customerClaimHandlers } from './key-portal/customer-claim.ts'
import { customerMediaHandlers } from './key-portal/customer-media.ts'
import { customerPaymentHandlers } from './key-portal/customer-payment.ts'
import { customerProfileHandlers } from './key-portal/customer-profile.ts'
import { customerRechargeHandlers } from './key-portal/customer-recharge.ts'
import { customerSessionHandlers } from './key-portal/customer-session.ts'
import { machinePageHandlers } from './key-portal/machine-page.ts'
import { portalHandlers } from './key-portal/portal.ts'
import { portalSettingsHandlers } from './key-portal/portal-settings.ts'
import { clientDataHandlers } from './licences/client-data.ts'
import { connectorHandlers } from './licences/connector.ts'
import { licenceHandlers } from './licences/licence.ts'
import { licenceActHandlers } from './licences/licence-acts.ts'
import { associationHandlers } from './machines/association.ts'
import { machineHandlers } from './machines/machine.ts'
import { machineActHandlers } from './machines/machine-acts.ts'
import { noteHandlers } from './machines/note.ts'
import { readingHandlers } from './machines/reading.ts'
import { sensorHandlers } from './machines/sensor.ts'
import { sensorThresholdHandlers } from './machines/sensor-threshold.ts'
import { apiTokenHandlers } from './merchants/api-token.ts'
import { clientHandlers } from './merchants/client.ts'
import { clientStatementHandlers } from './merchants/client-statement.ts'
import { firstStepsHandlers } from './merchants/first-steps.ts'
import { groupHandlers } from './merchants/group.ts'
import { merchantHandlers } from './merchants/merchant.ts'
import { merchantEditHandlers } from './merchants/merchant-edit.ts'
import { merchantSettingsHandlers } from './merchants/merchant-settings.ts'
import { signInRulesHandlers } from './merchants/sign-in-rules.ts'
import { webhookHandlers } from './merchants/webhook.ts'
import { invitationHandlers } from './people/invitation.ts'
import { sessionHandlers } from './people/session.ts'
import { userHandlers } from './people/user.ts'
import { userEditHandlers } from './people/user-edit.ts'
import { userListHandlers } from './people/user-list.ts'
import { userSessionHandlers } from './people/user-session.ts'
import { changeLogHandlers } from './platform/change-log.ts'
import { collectionHandlers } from './platform/collection.ts'
import { deadLetterHandlers } from './platform/dead-letter.ts'
import { demoHandlers } from './platform/demo.ts'
import { exportHandlers } from './platform/export.ts'
import { platformStatusHandlers } from './platform/platform-status.ts'
import { postalCodeHandlers } from './platform/postal-code.ts'
import { providerLogHandlers } from './platform/provider-log.ts'
import { savedViewHandlers } from './platform/saved-view.ts'
import { spaConfigurationHandlers } from './platform/spa-configuration.ts'
import { tableStateHandlers } from './platform/table-state.ts'
import { handlersOfRecords } from './records.ts'
import { dashboardHandlers } from './sales/dashboard.ts'
import { firstScreenHandlers } from './sales/first-screen.ts'
import { kioskHandlers } from './sales/kiosk.ts'
import { merchantsDashboardHandlers } from './sales/merchants-dashboard.ts'
import { transactionHandlers } from './sales/transaction.ts'
import { roundHandlers } from './stock/round.ts'
import { roundRouteHandlers } from './stock/round-route.ts'
import { routeHandlers } from './stock/route.ts'
import { stockHandlers } from './stock/stock.ts'
import { stockMovementHandlers } from './stock/stock-movement.ts'
import { stopOrderHandlers } from './stock/stop-order.ts'
import { supplyHandlers } from './stock/supply.ts'
import { visitHandlers } from './stock/visit.ts'
import { visitListHandlers } from './stock/visit-list.ts'
import { weekPlanHandlers } from './stock/week-plan.ts'
import { cashDatabaseFileHandlers } from './updates/cash-database.ts'
import { firmwareHandlers } from './updates/firmware.ts'
import { haltedRolloutHandlers } from './updates/halted-rollout.ts'
import { rolloutHandlers } from './updates/rule-records.ts'
import { runningVersionHandlers } from './updates/running-version.ts'
import { buyingHandlers } from './warehouse/buying.ts'
import { pickingHandlers } from './warehouse/picking.ts'
import { pieceLossHandlers } from './warehouse/piece-loss.ts'
import { pieceOperationHandlers } from './warehouse/piece-operation.ts'
import { stockPlaceHandlers } from './warehouse/stock-place.ts'

/** One handler per endpoint; an endpoint without one does not compile. */
export const handlers: Handlers<Endpoints> = {
  ...handlersOfRecords,
  ...webhookHandlers,
  ...platformStatusHandlers,
  ...spaConfigurationHandlers,
  ...userHandlers,
  ...sessionHandlers,
  ...userSessionHandlers,
  ...invitationHandlers,
  ...userListHandlers,
  ...userEditHandlers,
  ...tableStateHandlers,
  ...savedViewHandlers,
  ...merchantHandlers,
  ...merchantSettingsHandlers,
  ...firstStepsHandlers,
  ...signInRulesHandlers,
  ...portalSettingsHandlers,
  ...portalHandlers,
  ...claimHandlers,
  ...blogPostHandlers,
  ...alarmSettingHandlers,
  ...apiTokenHandlers,
  ...changeLogHandlers,
  ...providerLogHandlers,
  ...merchantEditHandlers,
  ...groupHandlers,
  ...clientHandlers,
  ...clientStatementHandlers,
  ...noVendProfileHandlers,
  ...pickingHandlers,
  ...buyingHandlers,
  ...pieceOperationHandlers,
  ...pieceLossHandlers,
  ...stockPlaceHandlers,
  ...noVendAssignmentHandlers,
  ...dashboardHandlers,
  ...firstScreenHandlers,
  ...kioskHandlers,
  ...merchantsDashboardHandlers,
  ...machineHandlers,
  ...machineActHandlers,
  ...associationHandlers,
  ...kpiHandlers,
  ...alarmHandlers,
  ...alarmCareHandlers,
  ...masterAlarmHandlers,
  ...sensorHandlers,
  ...sensorThresholdHandlers,
  ...transactionHandlers,
  ...auditHandlers,
  ...auditFileHandlers,
  ...reconciliationHandlers,
  ...configurationHandlers,
  ...vpConfigurationHandlers,
  ...screenConfigurationHandlers,
  ...screenFileHandlers,
  ...screenWhitelistHandlers,
  ...screenStorageHandlers,
  ...stockHandlers,
  ...roundHandlers,
  ...roundRouteHandlers,
  ...stopOrderHandlers,
  ...weekPlanHandlers,
  ...routeHandlers,
  ...depositHandlers,
  ...visitHandlers,
  ...visitListHandlers,
  ...stockMovementHandlers,
  ...supplyHandlers,
  ...productHandlers,
  ...importHandlers,
  ...planogramHandlers,
  ...planogramAssignmentHandlers,
  ...productChoiceHandlers,
  ...productCodeHandlers,
  ...priceHandlers,
  ...priceChangeHandlers,
  ...pricePlanHandlers,
  ...wrongPriceHandlers,
  ...readingHandlers,
  ...movementHandlers,
  ...machineCashHandlers,
  ...cashTrailHandlers,
  ...cashCollectionHandlers,
  ...roundMoneyHandlers,
  ...mediaHandlers,
  ...mediaActHandlers,
  ...refundHandlers,
  ...customerHandlers,
  ...remoteCommandHandlers,
  ...firmwareHandlers,
  ...cashDatabaseFileHandlers,
  ...runningVersionHandlers,
  ...rolloutHandlers,
  ...haltedRolloutHandlers,
  ...noteHandlers,
  ...exportHandlers,
  ...postalCodeHandlers,
  ...collectionHandlers,
  ...adminStatsHandlers,
  ...dataRetrievalRequestHandlers,
  ...machinesReportHandlers,
  ...reportHandlers,
  ...distributorKpiHandlers,
  ...deadLetterHandlers,
  ...demoHandlers,
  ...webPaymentServiceHandlers,
  ...webPaymentConfigHandlers,
  ...webPaymentOrderHandlers,
  ...customerSessionHandlers,
  ...customerProfileHandlers,
  ...customerMediaHandlers,
  ...customerRechargeHandlers,
  ...customerPaymentHandlers,
  ...customerClaimHandlers,
  ...machinePageHandlers,
  ...licenceHandlers,
  ...licenceActHandlers,
  ...clientDataHandlers,
  ...connectorHandlers,
}
