//! reqwest, with the retries of reqwest-retry if as documented: `adapter documented`.
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error};
use reqwest_retry::{RetryTransientMiddleware, policies::ExponentialBackoff};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn open(line: &Value, is_documented: bool) -> ClientWithMiddleware {
    let timeout = Duration::from_secs(line["timeoutSeconds"].as_u64().unwrap());
    let client = ClientBuilder::new(reqwest::Client::builder().timeout(timeout).build().unwrap());
    if !is_documented {
        return client.build();
    }
    let bounds = (Duration::from_millis(200), Duration::from_secs(5));
    let policy = ExponentialBackoff::builder().retry_bounds(bounds.0, bounds.1).build_with_max_retries(4);
    client.with(RetryTransientMiddleware::new_with_policy(policy)).build()
}

async fn send(client: ClientWithMiddleware, line: &Value, method: &str, path: String) -> Result<Value, Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let url = format!("{}{path}", line["url"].as_str().unwrap());
    let request = client
        .request(method.parse().unwrap(), url)
        .header("api_key", line["key"].as_str().unwrap())
        .header("content-type", "application/json")
        .header("idempotency-key", now.to_string());
    let request = if method == "POST" { request.body(line["input"]["pet"].to_string()) } else { request };
    let text = request.send().await?.error_for_status()?.text().await?;
    serde_json::from_str(&text).map_err(Error::middleware)
}

fn say(result: Result<Value, Error>) -> Value {
    result.map_or_else(|error| json!({ "error": format!("{error:?}") }), |pet| json!({ "result": pet }))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let is_documented = std::env::args().nth(1).is_some();
    let described = if is_documented {
        json!({ "options": "timeout(2s), ExponentialBackoff from 200ms to 5s, 4 retries", "lacks": ["keys"] })
    } else {
        json!({ "options": "timeout(2s)", "lacks": ["retries", "reconnects", "keys"] })
    };
    for text in std::io::stdin().lines() {
        let line: Value = serde_json::from_str(&text.unwrap()).unwrap();
        let client = open(&line, is_documented);
        let said = match line["do"].as_str().unwrap() {
            "describe" => json!({ "result": described }),
            "readPet" => say(send(client, &line, "GET", format!("/pet/{}", line["input"]["id"])).await),
            "addPet" => say(send(client, &line, "POST", "/pet".to_string()).await),
            _ => json!({ "unclaimed": "the adapter does not do this" }),
        };
        println!("{said}");
    }
}
