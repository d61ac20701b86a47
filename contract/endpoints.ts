import { alarms } from './alarms/alarm.ts'
import { alarmCare } from './alarms/alarm-care.ts'
import { alarmSettings } from './alarms/alarm-setting.ts'
import { masterAlarms } from './alarms/troubleshooting.ts'
import { audits } from './audits/audit.ts'
import { auditFiles } from './audits/audit-file.ts'
import { reconciliations } from './audits/reconciliation.ts'
import { cashTrails } from './cash/cash-trail.ts'
import { cashCollections } from './cash/collection.ts'
import { deposits } from './cash/deposit.ts'
import { machineCash } from './cash/machine-cash.ts'
import { movements } from './cash/movement.ts'
import { roundMoney } from './cash/round-money.ts'
import { customers } from './cashless/customer.ts'
import { medias } from './cashless/media.ts'
import { mediaActs } from './cashless/media-acts.ts'
import { refunds } from './cashless/refund.ts'
import { webPaymentConfigs } from './cashless/web-payment-config.ts'
import { webPaymentOrders } from './cashless/web-payment-order.ts'
import { webPaymentServices } from './cashless/web-payment-service.ts'
import { noVendAssignments } from './catalogue/no-vend-assignment.ts'
import { noVendProfiles } from './catalogue/no-vend-profile.ts'
import { planograms } from './catalogue/planogram.ts'
import { planogramAssignments } from './catalogue/planogram-assignment.ts'
import { prices } from './catalogue/price.ts'
import { priceChanges } from './catalogue/price-change.ts'
import { pricePlans } from './catalogue/price-plan.ts'
import { products } from './catalogue/product.ts'
import { productChoices } from './catalogue/product-choice.ts'
import { productCodes } from './catalogue/product-code.ts'
import { productEdits } from './catalogue/product-edit.ts'
import { wrongPrices } from './catalogue/wrong-price.ts'
import { remoteCommands } from './commands/remote-command.ts'
import { configurations } from './configurations/configuration.ts'
import { screenConfigurations } from './configurations/screen-configuration.ts'
import { screenFiles } from './configurations/screen-file.ts'
import { screenStorage } from './configurations/screen-storage.ts'
import { screenWhitelist } from './configurations/screen-whitelist.ts'
import { vpConfigurations } from './configurations/vp-configuration.ts'
import { exports } from './export/export.ts'
import { imports } from './imports/import.ts'
import { adminStats } from './insight/admin-stats.ts'
import { dataRetrievalRequests } from './insight/data-retrieval-request.ts'
import { distributorKpis } from './insight/distributor-kpis.ts'
import { kpis } from './insight/kpi.ts'
import { machinesReports } from './insight/machines-report.ts'
import { reports } from './insight/report.ts'
import { blogPosts } from './key-portal/blog-post.ts'
import { claims } from './key-portal/claim.ts'
import { customerClaims } from './key-portal/customer-claim.ts'
import { customerMedias } from './key-portal/customer-media.ts'
import { customerPayments } from './key-portal/customer-payment.ts'
import { customerProfiles } from './key-portal/customer-profile.ts'
import { customerRecharges } from './key-portal/customer-recharge.ts'
import { customerSessions } from './key-portal/customer-session.ts'
import { machinePages } from './key-portal/machine-page.ts'
import { portals } from './key-portal/portal.ts'
import { portalSettings } from './key-portal/portal-settings.ts'
import { clientData } from './licences/client-data.ts'
import { connectorRows } from './licences/connector.ts'
import { licences } from './licences/licence.ts'
import { licenceActRows } from './licences/licence-acts.ts'
import { associations } from './machines/association.ts'
import { machines } from './machines/machine.ts'
import { machineActs } from './machines/machine-acts.ts'
import { notes } from './machines/note.ts'
import { readings } from './machines/reading.ts'
import { sensors } from './machines/sensor.ts'
import { sensorThresholds } from './machines/sensor-threshold.ts'
import { apiTokens } from './merchants/api-token.ts'
import { clients } from './merchants/client.ts'
import { clientEdits } from './merchants/client-edit.ts'
import { clientStatements } from './merchants/client-statement.ts'
import { firstSteps } from './merchants/first-steps.ts'
import { groups } from './merchants/group.ts'
import { groupMachines } from './merchants/group-machines.ts'
import { merchants } from './merchants/merchant.ts'
import { merchantEdits } from './merchants/merchant-edit.ts'
import { merchantSettings } from './merchants/merchant-settings.ts'
import { sapCodes } from './merchants/sap-code.ts'
import { signInRules } from './merchants/sign-in-rules.ts'
import { webhooks } from './merchants/webhook.ts'
import { invitations } from './people/invitation.ts'
import { sessions, userSessions } from './people/session.ts'
import { users } from './people/user.ts'
import { userEdits } from './people/user-edit.ts'
import { changeLog } from './platform/change-log.ts'
import { collections } from './platform/collection.ts'
import { deadLetters } from './platform/dead-letter.ts'
import { demo } from './platform/demo.ts'
import { platformStatusRows } from './platform/platform-status.ts'
import { postalCodes } from './platform/postal-code.ts'
import { providerLog } from './platform/provider-log.ts'
import { savedViews } from './platform/saved-view.ts'
import { spaConfiguration } from './platform/spa-configuration.ts'
import { tableStates } from './platform/table-state.ts'
import { dashboards } from './sales/dashboard.ts'
import { firstScreens } from './sales/first-screen.ts'
import { kiosks } from './sales/kiosk.ts'
import { merchantsDashboard } from './sales/merchants-dashboard.ts'
import { transactions } from './sales/transaction.ts'
import { rounds } from './stock/round.ts'
import { roundRoutes } from './stock/round-route.ts'
import { routes } from './stock/route.ts'
import { stock } from './stock/stock.ts'
import { stockMovements } from './stock/stock-movement.ts'
import { stopOrders } from './stock/stop-order.ts'
import { supplies } from './stock/supply.ts'
import { visits } from './stock/visit.ts'
import { visitLists } from './stock/visit-list.ts'
import { weekPlans } from './stock/week-plan.ts'
import { cashDatabaseFiles, cashDatabases } from './updates/cash-database.ts'
import { cashDatabaseRollouts, cashDatabaseRules } from './updates/cash-database-rule.ts'
import { firmwares } from './updates/firmware.ts'
import { firmwareRollouts, firmwareRules } from './updates/firmware-rule.ts'
import { haltedRollouts } from './updates/halted-rollout.ts'
import { runningVersions } from './updates/running-version.ts'
import { buying } from './warehouse/buying.ts'
import { picking } from './warehouse/picking.ts'
import { pieceLosses } from './warehouse/piece-loss.ts'
import { pieceOperations } from './warehouse/piece-operation.ts'
import { stockPlaces } from './warehouse/stock-place.ts'

/** Every endpoint of the product, by name. */
export const endpoints = {
  ...spaConfiguration,
  ...users,
  ...sessions,
  ...userSessions,
  ...invitations,
  ...userEdits,
  ...tableStates,
  ...savedViews,
  ...merchants,
  ...merchantSettings,
  ...firstSteps,
  ...signInRules,
  ...alarmSettings,
  ...apiTokens,
  ...changeLog,
  ...providerLog,
  ...merchantEdits,
  ...sapCodes,
  ...webhooks,
  ...platformStatusRows,
  ...groups,
  ...groupMachines,
  ...clients,
  ...clientStatements,
  ...stockPlaces,
  ...picking,
  ...buying,
  ...pieceOperations,
  ...pieceLosses,
  ...noVendProfiles,
  ...noVendAssignments,
  ...clientEdits,
  ...portalSettings,
  ...portals,
  ...blogPosts,
  ...dashboards,
  ...firstScreens,
  ...kiosks,
  ...merchantsDashboard,
  ...machines,
  ...machineActs,
  ...associations,
  ...kpis,
  ...alarms,
  ...alarmCare,
  ...masterAlarms,
  ...sensors,
  ...sensorThresholds,
  ...transactions,
  ...audits,
  ...auditFiles,
  ...reconciliations,
  ...configurations,
  ...vpConfigurations,
  ...screenConfigurations,
  ...screenFiles,
  ...screenWhitelist,
  ...screenStorage,
  ...stock,
  ...rounds,
  ...roundMoney,
  ...roundRoutes,
  ...stopOrders,
  ...weekPlans,
  ...routes,
  ...deposits,
  ...visits,
  ...visitLists,
  ...stockMovements,
  ...supplies,
  ...products,
  ...productEdits,
  ...imports,
  ...planograms,
  ...planogramAssignments,
  ...productChoices,
  ...productCodes,
  ...prices,
  ...priceChanges,
  ...pricePlans,
  ...wrongPrices,
  ...readings,
  ...movements,
  ...machineCash,
  ...cashTrails,
  ...cashCollections,
  ...medias,
  ...mediaActs,
  ...refunds,
  ...claims,
  ...customers,
  ...remoteCommands,
  ...firmwares,
  ...cashDatabases,
  ...cashDatabaseFiles,
  ...runningVersions,
  ...firmwareRules,
  ...firmwareRollouts,
  ...cashDatabaseRules,
  ...cashDatabaseRollouts,
  ...haltedRollouts,
  ...notes,
  ...postalCodes,
  ...collections,
  ...exports,
  ...adminStats,
  ...dataRetrievalRequests,
  ...machinesReports,
  ...reports,
  ...distributorKpis,
  ...deadLetters,
  ...demo,
  ...webPaymentServices,
  ...webPaymentConfigs,
  ...webPaymentOrders,
  ...customerSessions,
  ...customerProfiles,
  ...customerMedias,
  ...customerRecharges,
  ...customerPayments,
  ...customerClaims,
  ...machinePages,
  ...licences,
  ...licenceActRows,
  ...clientData,
  ...connectorRows,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
