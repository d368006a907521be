/** Public names of `@leuria/testing`: fakes and contract suites. Never a runtime dependency. */
export { computedMs, livedTime } from './busy-time.js'
export type { LivedTime } from './busy-time.js'
export { fakeClock, settle } from './fake-clock.js'
export type { FakeClock } from './fake-clock.js'
export { fakePageTools, waitingTool } from './fake-page-tools.js'
export type { FakePageTools, FakeTool, FakeToolCall, FakeToolRun } from './fake-page-tools.js'
export { agentAdapterContract, collectTurn, CONTRACT_TOOL, FLOOD, GARBAGE, textOf } from './agent-adapter-contract.js'
export type { AdapterContractOptions, AdapterScene, AdapterUnderTest } from './agent-adapter-contract.js'
export { scriptedAgent, ScriptedAgent, ScriptedSession } from './scripted-agent.js'
export type { Opening, ScriptedAgentOptions } from './scripted-agent.js'
export { ScriptedTurn } from './scripted-turn.js'
export type { ScriptStep, TurnScript } from './turn-script.js'
export { readEvents, SseReader } from './sse-reader.js'
export type { SseEvent } from './sse-reader.js'
export { FakeSink } from './fake-sink.js'
export { scriptedModelServer } from './scripted-model-server.js'
export type {
  ChatRequestBody,
  ModelAnswer,
  ModelExchange,
  NativeReply,
  NativeRequest,
  ScriptedModelServer,
  ScriptedModelServerOptions,
} from './scripted-model-server.js'
export { MODEL_QUIRKS } from './model-script.js'
export type { ModelQuirk, ModelQuirks, ModelStep, ScriptedCall } from './model-script.js'
export { EMBEDDING_QUIRKS, ScriptedEmbeddings, vectorOf } from './scripted-embeddings.js'
export type { EmbeddingQuirk, EmbeddingRequestBody } from './scripted-embeddings.js'
export { OLLAMA_QUIRKS, scriptedOllama } from './scripted-ollama.js'
export type {
  OllamaLoad,
  OllamaQuirk,
  ScriptedOllama,
  ScriptedOllamaModel,
  ScriptedOllamaOptions,
} from './scripted-ollama.js'
export { LM_STUDIO_QUIRKS, scriptedLmStudio } from './scripted-lm-studio.js'
export type {
  LmStudioLoad,
  LmStudioQuirk,
  ScriptedLmStudio,
  ScriptedLmStudioModel,
  ScriptedLmStudioOptions,
} from './scripted-lm-studio.js'
export { modelServiceContract } from './model-service-contract.js'
export type { ServiceUnderTest } from './model-service-contract.js'
export { startLlamaCpp } from './llama-cpp.js'
export type { LlamaCpp, LlamaCppOptions } from './llama-cpp.js'
export { MODEL_SCENES } from './model-scenes.js'
export { autoAnswer } from './auto-answer.js'
export { findChatFault } from './strict-chat-api.js'
export { puppetAdapter, puppetAi } from './puppet-ai.js'
export type { PuppetAi, PuppetTurn } from './puppet-ai.js'
export { PageNetwork } from './page-network.js'
export type { NetworkUse } from './page-network.js'
export { FakeEngine, fakeEngine } from './fake-engine/fake-engine.js'
export type { FakeEngineOptions } from './fake-engine/fake-engine.js'
export { EngineLog } from './fake-engine/engine-log.js'
export type { LogEntry, LoggedMessage, LoggedRequest, LoggedSocket } from './fake-engine/engine-log.js'
export type { FakeEngineFaults, FakeEngineSwitches, RawStream } from './fake-engine/switches.js'
export { FakeChannel } from './fake-channel.js'
export { rawRequest } from './raw-request.js'
export type { RawAnswer, RawRequest } from './raw-request.js'
export { FakeBrowser, FakeTab } from './fake-browser.js'
export { PageScene, pageScene } from './page-scene.js'
export type { PageSceneParts } from './page-scene.js'
export { clientEngineContract } from './client-engine-contract.js'
export type {
  ClientEngineContractOptions,
  ContractAttachment,
  ContractClient,
  ContractClientParts,
  ContractEngine,
  ContractEvent,
  ContractSession,
  ContractStart,
  ContractTool,
} from './client-engine-contract.js'
export { CONNECTION_FAULTS, FaultProxy, faultProxy } from './fault-proxy.js'
export type { ConnectionFault, FaultProxyOptions } from './fault-proxy.js'
export { between, pick, seededRandom } from './seeded-random.js'
export type { Random } from './seeded-random.js'
export { FakePage, fakePage } from './fake-page.js'
export type { FakePageCall, FakePageOptions, FakePageTool } from './fake-page.js'
export { ACP_SCENES } from './acp/acp-scenes.js'
export { ACP_OPTIONS } from './acp/acp-script.js'
export type { AcpAnswer, AcpOutcome, AcpPermissionOption, AcpScript, AcpStep, AcpToolCall } from './acp/acp-script.js'
export { ScriptedAcpAgent } from './acp/scripted-acp-agent.js'
export type { AcpMessage, AcpPipes } from './acp/scripted-acp-agent.js'
export { scriptedAcpLaunch } from './acp/scripted-acp-launch.js'
export type { ScriptedAcpLaunch, ScriptedAcpLaunchOptions } from './acp/scripted-acp-launch.js'
export { fakeMcpEndpoint } from './acp/fake-mcp-endpoint.js'
export type { FakeMcpEndpoint } from './acp/fake-mcp-endpoint.js'
export { gainsOf, hostileAttempts } from './acp/hostile-acp-agent.js'
export type { HostileAttempt, HostileTargets } from './acp/hostile-acp-agent.js'
export { hostileReach } from './acp/hostile-reach.js'
export type { ReachTargets } from './acp/hostile-reach.js'
export { scriptedAgentModels } from './agent-models/scripted-agent-models.js'
export type { AgentModelRequest, ScriptedAgentModels } from './agent-models/scripted-agent-models.js'
export { agentScript } from './agent-models/agent-script.js'
export type { AgentModelStep } from './agent-models/agent-script.js'
export { askOnce, sceneOptions, ServiceStage, statusOf } from './service-stage.js'
export type { ServiceStageParts } from './service-stage.js'
export { languageModelContract } from './language-model-contract.js'
export { npmEntry, openAgentList, uncheckedEntry } from './agent-list.js'
export type { AgentList } from './agent-list.js'
