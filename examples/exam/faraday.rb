# Faraday, with its retry middleware if as documented: ruby faraday.rb documented.
require "date" # which Faraday 1 uses without loading it
require "faraday"
require "json"
require "securerandom"

DOCUMENTED = ARGV == ["documented"]
RETRY = {
  max: 4, interval: 0.2, interval_randomness: 0.5, backoff_factor: 2,
  methods: %i[get put post delete], retry_statuses: [429, 502, 503, 504],
  exceptions: Faraday::Request::Retry::DEFAULT_EXCEPTIONS + [Faraday::ConnectionFailed]
}

def send_request(line, method, path, body = nil)
  client = Faraday.new(request: { timeout: line["timeoutSeconds"] }) do |builder|
    builder.response :raise_error
    builder.request :retry, RETRY if DOCUMENTED
  end
  headers = { "api_key" => line["key"], "content-type" => "application/json", "idempotency-key" => SecureRandom.uuid }
  JSON.parse(client.run_request(method, line["url"] + path, body, headers).body)
end

def act(line)
  input = line["input"]
  case line["do"]
  when "describe"
    options = DOCUMENTED ? "timeout: 2, request :retry, #{RETRY.except(:exceptions)} and ConnectionFailed" : "timeout: 2"
    { result: { options: options, lacks: DOCUMENTED ? ["keys"] : %w[retries reconnects keys] } }
  when "readPet" then { result: send_request(line, :get, "/pet/#{input["id"]}") }
  when "addPet" then { result: send_request(line, :post, "/pet", JSON.generate(input["pet"])) }
  else { unclaimed: "the adapter does not do this" }
  end
rescue Faraday::Error, JSON::ParserError => error
  { error: "#{error.class}: #{error.message}" }
end

$stdout.sync = true
$stdin.each_line { |text| puts JSON.generate(act(JSON.parse(text))) }
